import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable, type Database } from '../../platform/db/database.js';
import { type Clock } from '../../platform/clock.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { type RequestContext } from '../../platform/context.js';
import { Account } from './account.entity.js';

export class AccountService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The account that asks. */
  async current(context: RequestContext): Promise<Account> {
    const [account] = await this.db.select(
      Account,
      `SELECT ${columnsOf(Account, 'a')} FROM accounts a WHERE a.id = $1`,
      [context.accountId],
    );
    return account!;
  }

  /** The uuid of the account of that name, made when it is new. */
  async findOrCreate(on: Queryable, name: string): Promise<string> {
    const uuid = newUuid(this.clock.now());
    const [row] = await on.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING id)
       SELECT id FROM made UNION ALL SELECT id FROM accounts WHERE name = $2 LIMIT 1`,
      [uuid, name, timeOf(uuid)],
    );
    // Nobody's row was visible: another process committed the name in between. Now it is there.
    return row?.id ?? this.findOrCreate(on, name);
  }
}
