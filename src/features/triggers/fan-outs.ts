import { type Database, type Transaction } from '../../platform/db/database.js';
import { WorkRows } from '../../platform/jobs/work-rows.js';
import { type Logger } from '../../platform/logging/logger.js';

/** The maximum number of triggers that one transaction works on for one cause. The others are worked off in batches. */
export const MAX_AT_ONCE = 500;

/** Rows of accounts, each with the triggers that remain to be worked on. */
interface FanOutRows<Row> {
  /** Has the columns of `WorkRowsOptions.table`, and `triggers`. */
  table: string;
  /** SQL for the columns of `Row`. */
  columns: string;
  /** Works on the next triggers of a row, in the transaction that removes them from it. */
  work: (tx: Transaction, row: Row & { triggers: string[] }) => Promise<void>;
  /** As `WorkRowsOptions.mayWork`. */
  mayWork?: (account: string) => Promise<boolean>;
  /** A line of the log for a batch that failed. */
  failure: string;
}

type Part<Row> = Row & { triggers: string[]; isLast: boolean };

/** Works off rows that name many triggers, in batches of `MAX_AT_ONCE`. */
export function fanOuts<Row extends object>(
  db: Database,
  logger: Logger,
  { table, columns, work, ...options }: FanOutRows<Row>,
): WorkRows<Part<Row>> {
  const rest = `UPDATE ${table} SET triggers = triggers[${MAX_AT_ONCE + 1}:] WHERE id = $1`;
  return new WorkRows<Part<Row>>(db, logger, {
    table,
    columns: `triggers[:${MAX_AT_ONCE}] AS triggers, cardinality(triggers) <= ${MAX_AT_ONCE} AS "isLast", ${columns}`,
    work: async (tx, row) => {
      await work(tx, row);
      if (!row.isLast) await tx.query(rest, [row.id]);
      return !row.isLast;
    },
    ...options,
  });
}
