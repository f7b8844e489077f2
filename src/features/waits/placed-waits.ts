import { type Database } from '../../platform/db/database.js';
import { type RunStatus } from '../runs/run-status.js';
import { WAIT_COLUMNS } from './wait-columns.js';
import { Wait } from './wait.entity.js';
import { type WaitPlace } from './wait-tokens.js';

/** What the page of a wait says of its run. */
export type RunOfPage = {
  accountId: string;
  status: RunStatus;
  actionsId: string | null;
  /** The name of the account. */
  account: string;
  /** The name of the workflow; null once it is deleted. */
  workflow: string | null;
};

/** Reads what a page shows of the place in its token. The token is the secret: no account is known before. */
export class PlacedWaits {
  constructor(private readonly db: Database) {}

  /** The run of a place; undefined if it is not stored any more. */
  async run({ runUuid }: WaitPlace): Promise<RunOfPage | undefined> {
    const [run] = await this.db.query<RunOfPage>(
      `SELECT r.account_id AS "accountId", r.status, r.actions_id AS "actionsId", a.name AS account,
         (SELECT w.name FROM workflows w WHERE w.id = r.workflow_id) AS workflow
       FROM runs r JOIN accounts a ON a.id = r.account_id WHERE r.id = $1`,
      [runUuid],
    );
    return run;
  }

  /** The wait of a place; undefined while it has no row. */
  async wait({ runUuid, index }: WaitPlace): Promise<Wait | undefined> {
    const [wait] = await this.db.select(
      Wait,
      `SELECT ${WAIT_COLUMNS.whole} FROM waits w WHERE w.run_id = $1 AND w.step_index = $2`,
      [runUuid, index],
    );
    return wait;
  }
}
