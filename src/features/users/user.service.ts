import { auditing, auditParameter, NO_FACTS, recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { type Page, type PageArgs } from '../../platform/db/pages/pagination.js';
import { selectLongPage } from '../../platform/db/pages/select-page.js';
import { AppError, notFound } from '../../platform/errors.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { hasPassword } from './new-user.js';
import { lockAccount } from '../accounts/lock-account.js';
import { userAudit } from './user-audit.js';
import { sessionsEnded } from './sign-in/session.events.js';
import { User } from './user.entity.js';

const COLUMNS = columnsOf(User, 'u');

/** Parameters: the user, the name, now, `auditParameter`. */
const RENAME = `
  WITH old AS (SELECT id, name FROM users WHERE id = $1 FOR NO KEY UPDATE),
  u AS (
    UPDATE users SET name = $2, updated_at = $3 FROM old WHERE users.id = old.id
    RETURNING users.*, old.name AS old_name),
  audited AS (${auditing({
    action: 'user.updated',
    entry: '$4',
    from: 'u',
    accountId: 'u.account_id',
    resource: 'u.id',
    name: 'NULL::text',
    before: NO_FACTS,
    after: NO_FACTS,
    // The log has no names of users.
    changes: 'u.name <> u.old_name',
  })})
  SELECT ${COLUMNS} FROM u`;

/** The users of accounts: reads, profile changes, removal. */
export class UserService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /** The user behind the caller; null if the caller is not a person. */
  async current({ caller }: RequestContext): Promise<User | null> {
    return caller.kind === 'person' ? ((await this.find(caller.userId)) ?? null) : null;
  }

  /** Whether the calling user can sign in by password; false if the caller is not a person. */
  async hasPassword({ caller }: RequestContext): Promise<boolean> {
    return caller.kind === 'person' && hasPassword(this.db, caller.userId);
  }

  /** Finds a user by uuid. */
  async find(uuid: string): Promise<User | undefined> {
    const [user] = await this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.id = $1`, [uuid]);
    return user;
  }

  /** Finds a user by address in lower case. */
  async findByEmail(email: string): Promise<User | undefined> {
    const [user] = await this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.email = $1`, [email]);
    return user;
  }

  /** All users of an account, newest first. */
  all(accountId: string): Promise<User[]> {
    return this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.account_id = $1 ORDER BY u.id DESC`, [
      accountId,
    ]);
  }

  /** The names of the account's users, in the order of `uuids`; null for each that was removed. */
  async names({ accountId }: RequestContext, uuids: readonly string[]): Promise<(string | null)[]> {
    const rows = await this.db.query<{ id: string; name: string }>(
      `SELECT id, name FROM users WHERE account_id = $1 AND id = ANY($2)`,
      [accountId, uuids],
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return uuids.map((uuid) => names.get(uuid) ?? null);
  }

  /** A page of the account's users, newest first; `counts`: whether the total is needed. */
  page({ accountId }: RequestContext, args: PageArgs, counts = true): Promise<Page<User>> {
    return selectLongPage(this.db, { entity: User, prefix: 'usr', from: 'users u', accountId }, args, counts);
  }

  /** Renames the calling user. @throws AppError `not_found` if the user was just removed. */
  async rename({ caller }: RequestContext, name: string): Promise<User> {
    const now = this.clock.now();
    const userId = caller.kind === 'person' ? caller.userId : null;
    const [user] = await this.db.select(User, RENAME, [userId, name, now, auditParameter(now)]);
    if (user === undefined) throw notFound('user');
    return user;
  }

  /**
   * Removes a user, possibly the caller, and ends their sessions at once.
   * @returns the id. @throws AppError `not_found`, or `conflict` for the last user of the account.
   */
  async remove({ accountId }: RequestContext, id: string): Promise<string> {
    const uuid = fromPublicId('usr', id);
    await this.db.transaction(async (tx) => {
      // Serializes removals, so that two users who remove each other at the same time don't both succeed.
      await lockAccount(tx, accountId);
      const found = await tx.query(`SELECT 1 AS one FROM users WHERE id = $1 AND account_id = $2 FOR UPDATE`, [
        uuid ?? null,
        accountId,
      ]);
      if (found.length === 0) throw notFound('user');
      // The other user may be about to be removed in another way, e.g. replaced: the lock waits for that.
      const others = await tx.query(
        `SELECT 1 AS one FROM users WHERE account_id = $1 AND id <> $2 LIMIT 1 FOR KEY SHARE`,
        [accountId, uuid],
      );
      if (others.length === 0) throw new AppError('conflict', 'The last user of an account cannot be removed.');
      await this.delete(tx, accountId, uuid!);
    });
    return id;
  }

  /** Removes any user, also the last one of an account: the operator can always invite another. */
  async removeByOperator({ uuid, accountId }: User): Promise<void> {
    await this.db.transaction((tx) => this.delete(tx, accountId, uuid));
  }

  private async delete(tx: Transaction, accountId: string, uuid: string): Promise<void> {
    await tx.query(`DELETE FROM users WHERE id = $1`, [uuid]);
    this.notifications.publish(tx, sessionsEnded, { userId: uuid });
    await recordAudit(tx, this.clock.now(), userAudit('user.removed', { accountId, uuid }));
  }
}
