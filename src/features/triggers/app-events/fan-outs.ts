import { type Clock } from '../../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { type NewPayloads } from '../../../platform/payloads.js';
import { type Firing, recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { fanOuts } from '../fan-outs.js';

/** The maximum number of an account's events that wait for their remaining runs. Further large events are refused. */
export const MAX_WAITING = 100;

/** What creating the remaining runs needs. */
export interface FanOutDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  logger: Logger;
}

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

interface Row {
  key: string | null;
  hops: number;
  sourceLost: boolean;
  inline: string | null;
  payloadUuid: string | null;
  bytes: number;
}

const COLUMNS = `key, hops, source_lost AS "sourceLost", input::text AS inline, payload_id AS "payloadUuid",
  input_bytes AS bytes`;

/** Creates the remaining runs of events that fire many triggers. */
export function eventFanOuts({ db, clock, queue, logger }: FanOutDependencies) {
  return fanOuts<Row>(db, logger, {
    table: 'event_fan_outs',
    columns: COLUMNS,
    work: async (tx, row) => {
      await recordFirings(tx, queue, clock.now(), firingsOf(row));
      tx.afterCommit(() => queue.announce());
    },
    failure: 'events: runs could not be created',
  });
}

function firingsOf(row: Row & { triggers: readonly string[] }): Firing[] {
  const { triggers, key, hops, sourceLost, inline, payloadUuid, bytes } = row;
  const input = { inline, payloadUuid, bytes };
  return triggers.map((triggerUuid) => ({ triggerUuid, input, key, hops, ...(sourceLost && { sourceLost }) }));
}
