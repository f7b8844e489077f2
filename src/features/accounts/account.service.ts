import { auditing, auditParameter, factsSql } from '../audit-log/record-audit.js';
import { AppError, notFound } from '../../platform/errors.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable, type Database } from '../../platform/db/database.js';
import { sqlState } from '../../platform/db/sql-state.js';
import { type Clock } from '../../platform/clock.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { type RequestContext } from '../../platform/context.js';
import { Account } from './account.entity.js';
import { type UpdateAccountInput } from './account.inputs.js';

const COLUMNS = columnsOf(Account, 'a');
/** PostgreSQL's unique_violation. */
const UNIQUE_VIOLATION = '23505';

const FACTS = ['name', 'event_log'] as const;

/** Changes the fields that are not null. Parameters: the account, name, event log, `auditParameter`. */
const UPDATE = `
  WITH old AS (
    SELECT * FROM accounts WHERE id = $1
      -- Compared first: a violation of the constraint would end a surrounding unit of work.
      AND NOT EXISTS (SELECT 1 FROM accounts other WHERE other.name = $2 AND other.id <> $1)
    FOR NO KEY UPDATE),
  a AS (
    UPDATE accounts SET name = coalesce($2, accounts.name), event_log = coalesce($3, accounts.event_log)
    FROM old WHERE accounts.id = old.id RETURNING accounts.*),
  audited AS (${auditing({
    action: 'account.updated',
    entry: '$4',
    from: 'a JOIN old ON old.id = a.id',
    accountId: 'a.id',
    resource: 'a.id',
    name: 'a.name',
    before: factsSql('old.', FACTS),
    after: factsSql('a.', FACTS),
  })})
  SELECT ${COLUMNS} FROM a`;

/** Reads and renames accounts, and creates them by name for the command line and the first set-up. */
export class AccountService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The caller's account. */
  async current(context: RequestContext): Promise<Account> {
    const [account] = await this.db.select(Account, `SELECT ${COLUMNS} FROM accounts a WHERE a.id = $1`, [
      context.accountId,
    ]);
    return account!;
  }

  /** The caller's account where its id is asked for, and an error for each other id. */
  async byIds(context: RequestContext, ids: readonly string[]): Promise<(Account | AppError)[]> {
    const account = await this.current(context);
    return ids.map((id) => (id === account.id ? account : notFound('account')));
  }

  /** Changes the given fields of the caller's account. @throws AppError `conflict` if another account has the name. */
  async update({ accountId }: RequestContext, { name, eventLog }: UpdateAccountInput): Promise<Account> {
    const now = this.clock.now();
    const [account] = await this.db
      .select(Account, UPDATE, [accountId, name ?? null, eventLog ?? null, auditParameter(now)])
      .catch((error: unknown) => {
        throw sqlState(error) === UNIQUE_VIOLATION ? nameTaken() : error;
      });
    return account ?? Promise.reject(nameTaken());
  }

  /** The uuid of the account with that name, created if there is none. */
  async findOrCreate(on: Queryable, name: string): Promise<string> {
    const uuid = newUuid(this.clock.now());
    const [row] = await on.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING id)
       SELECT id FROM made UNION ALL SELECT id FROM accounts WHERE name = $2 LIMIT 1`,
      [uuid, name, timeOf(uuid)],
    );
    // No row was inserted or visible: another process committed the name in between. The next attempt finds it.
    return row?.id ?? this.findOrCreate(on, name);
  }
}

function nameTaken(): AppError {
  const message = 'is the name of another account';
  return new AppError('conflict', 'Another account of this service has this name.', {
    details: [{ field: 'name', message }],
  });
}
