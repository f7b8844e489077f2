import { type Clock } from '../../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { type NewPayloads } from '../../../platform/payloads.js';
import { type Firing, recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';

/** The maximum number of runs of one event that one transaction creates. */
export const MAX_RUNS_AT_ONCE = 500;
/** The maximum number of an account's events that wait for their remaining runs. Further large events are refused. */
export const MAX_WAITING = 100;

/** Short, because a batch that waits for a locked row delays all accounts. */
const LOCK_TIMEOUT = '1s';

/** An event whose first runs exist, with the triggers that remain to be fired. */
export interface FanOut extends Omit<Firing, 'triggerUuid'> {
  accountId: string;
  /** In the order of their workflows' ids. */
  triggers: readonly string[];
}

/** Stores the remaining triggers of events in the transaction that creates their first runs. */
export async function storeFanOuts(
  tx: Transaction,
  now: Date,
  fanOuts: readonly FanOut[],
  payloads: NewPayloads,
): Promise<void> {
  for (const { accountId, triggers, key, hops, sourceLost = false, input } of fanOuts) {
    const { inline, payloadUuid, bytes } = payloads.keep(accountId, input);
    await payloads.store(tx);
    await tx.query(
      `INSERT INTO event_fan_outs (id, account_id, triggers, key, hops, source_lost, input, payload_id, input_bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [newUuid(now), accountId, triggers, key, hops, sourceLost, inline, payloadUuid, bytes],
    );
  }
}

/** Those of `accounts` that have reached `MAX_WAITING`. */
export async function fullAccounts(on: Queryable, accounts: readonly string[]): Promise<ReadonlySet<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await on.query<{ account: string }>(
    `SELECT account_id AS account FROM event_fan_outs WHERE account_id = ANY($1)
     GROUP BY account_id HAVING count(*) >= ${MAX_WAITING}`,
    [accounts],
  );
  return new Set(rows.map(({ account }) => account));
}

/** The accounts with waiting events, found one by one along the index. */
export async function waitingAccounts(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ account: string }>(
    `WITH RECURSIVE waiting AS (
       (SELECT account_id FROM event_fan_outs ORDER BY account_id LIMIT 1)
       UNION ALL
       SELECT (SELECT f.account_id FROM event_fan_outs f WHERE f.account_id > waiting.account_id
               ORDER BY f.account_id LIMIT 1)
       FROM waiting WHERE waiting.account_id IS NOT NULL)
     SELECT account_id AS account FROM waiting WHERE account_id IS NOT NULL`,
  );
  return rows.map(({ account }) => account);
}

interface Row {
  id: string;
  triggers: string[];
  isLast: boolean;
  key: string | null;
  hops: number;
  sourceLost: boolean;
  inline: string | null;
  payloadUuid: string | null;
  bytes: number;
}

/**
 * Creates the next runs of an account's oldest waiting event and updates the remaining triggers, in one transaction:
 * after a crash in between, none are created. @returns false when nothing is left for this process.
 */
export async function fanOutBatch(
  { db, clock, queue }: { db: Database; clock: Clock; queue: RunQueue },
  account: string,
): Promise<boolean> {
  const found = await db.transaction(async (tx) => {
    await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [LOCK_TIMEOUT]);
    const [row] = await tx.query<Row>(
      `SELECT id, triggers[:${MAX_RUNS_AT_ONCE}] AS triggers, cardinality(triggers) <= ${MAX_RUNS_AT_ONCE} AS "isLast",
              key, hops, source_lost AS "sourceLost", input::text AS inline, payload_id AS "payloadUuid",
              input_bytes AS bytes
       FROM event_fan_outs WHERE account_id = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      [account],
    );
    if (row === undefined) return false;
    await recordFirings(tx, queue, clock.now(), firingsOf(row));
    const left = `UPDATE event_fan_outs SET triggers = triggers[${MAX_RUNS_AT_ONCE + 1}:] WHERE id = $1`;
    await tx.query(row.isLast ? `DELETE FROM event_fan_outs WHERE id = $1` : left, [row.id]);
    return true;
  });
  if (found) queue.announce();
  return found;
}

function firingsOf({ triggers, key, hops, sourceLost, inline, payloadUuid, bytes }: Row): Firing[] {
  const input = { inline, payloadUuid, bytes };
  return triggers.map((triggerUuid) => ({ triggerUuid, input, key, hops, ...(sourceLost && { sourceLost }) }));
}
