import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { offsetOf, type Page, type PageArgs, toPage } from '../../platform/db/pagination.js';
import { AppError, notFound } from '../../platform/errors.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { hasPassword } from './new-user.js';
import { sessionsEnded } from './sign-in/session.events.js';
import { User } from './user.entity.js';

const COLUMNS = columnsOf(User, 'u');

export class UserService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /** The user who asks, or null when the caller is no person. */
  async current({ caller }: RequestContext): Promise<User | null> {
    return caller.kind === 'person' ? ((await this.find(caller.userId)) ?? null) : null;
  }

  /** Whether the user who asks can sign in by password; false when the caller is no person. */
  async hasPassword({ caller }: RequestContext): Promise<boolean> {
    return caller.kind === 'person' && hasPassword(this.db, caller.userId);
  }

  /** By uuid. */
  async find(uuid: string): Promise<User | undefined> {
    const [user] = await this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.id = $1`, [uuid]);
    return user;
  }

  /** By address, in lower case. */
  async findByEmail(email: string): Promise<User | undefined> {
    const [user] = await this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.email = $1`, [email]);
    return user;
  }

  /** All of an account, newest first. */
  all(accountId: string): Promise<User[]> {
    return this.db.select(User, `SELECT ${COLUMNS} FROM users u WHERE u.account_id = $1 ORDER BY u.id DESC`, [
      accountId,
    ]);
  }

  /** The account's, newest first. */
  async page({ accountId }: RequestContext, args: PageArgs): Promise<Page<User>> {
    const [items, [count]] = await Promise.all([
      this.db.select(
        User,
        `SELECT ${COLUMNS} FROM users u WHERE u.account_id = $1 ORDER BY u.id DESC LIMIT $2 OFFSET $3`,
        [accountId, args.perPage, offsetOf(args)],
      ),
      this.db.query<{ total: number }>(`SELECT count(*) AS total FROM users WHERE account_id = $1`, [accountId]),
    ]);
    return toPage(items, count!.total, args);
  }

  /** Renames the user who asks. @throws AppError `not_found` when they were just removed. */
  async rename({ caller }: RequestContext, name: string): Promise<User> {
    const [user] = await this.db.select(
      User,
      `UPDATE users u SET name = $2, updated_at = $3 WHERE u.id = $1 RETURNING ${COLUMNS}`,
      [caller.kind === 'person' ? caller.userId : null, name, this.clock.now()],
    );
    if (user === undefined) throw notFound('user');
    return user;
  }

  /**
   * Removes a user, whose sessions end at once; oneself too, as long as another one stays.
   * @returns the id. @throws AppError `not_found`, or `conflict` for the last one.
   */
  async remove({ accountId }: RequestContext, id: string): Promise<string> {
    const uuid = fromPublicId('usr', id);
    const userId = await this.db.transaction(async (tx) => {
      // All are held, so that two who remove each other at once don't both succeed.
      const held = await tx.query<{ id: string }>(`SELECT id FROM users WHERE account_id = $1 ORDER BY id FOR UPDATE`, [
        accountId,
      ]);
      const found = held.find((user) => user.id === uuid);
      if (found === undefined) throw notFound('user');
      if (held.length === 1) throw new AppError('conflict', 'The last user of an account cannot be removed.');
      await this.delete(tx, found.id);
      return found.id;
    });
    this.notifications.notifyLocally(sessionsEnded, { userId });
    return id;
  }

  /** Removes a user as `remove` does, the last one too: the operator can always invite another. */
  async removeByOperator({ uuid }: User): Promise<void> {
    await this.db.transaction((tx) => this.delete(tx, uuid));
  }

  private async delete(tx: Queryable, uuid: string): Promise<void> {
    await tx.query(`DELETE FROM users WHERE id = $1`, [uuid]);
    await this.notifications.publish(tx, sessionsEnded, { userId: uuid });
  }
}
