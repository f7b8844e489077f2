import { type AppError, notFound } from '../../platform/errors.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable, type Database } from '../../platform/db/database.js';
import { type Clock } from '../../platform/clock.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { type RequestContext } from '../../platform/context.js';
import { Account } from './account.entity.js';

/** Reads accounts, and creates them by name for the command line and the first set-up. */
export class AccountService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The caller's account. */
  async current(context: RequestContext): Promise<Account> {
    const [account] = await this.db.select(
      Account,
      `SELECT ${columnsOf(Account, 'a')} FROM accounts a WHERE a.id = $1`,
      [context.accountId],
    );
    return account!;
  }

  /** The caller's account where its id is asked for, and an error for each other id. */
  async byIds(context: RequestContext, ids: readonly string[]): Promise<(Account | AppError)[]> {
    const account = await this.current(context);
    return ids.map((id) => (id === account.id ? account : notFound('account')));
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
