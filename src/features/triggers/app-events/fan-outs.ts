import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { type NewPayloads, type StoredText } from '../../../platform/payloads.js';
import { type Firing, recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { fanOuts } from '../fan-outs.js';

/**
 * The maximum number of an account's events that wait for their remaining runs. Further large events are refused. A single
 * post may have more while no other event of its account waits: it could never be taken otherwise.
 */
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
  if (fanOuts.length === 0) return;
  const rows = fanOuts.map((fanOut): NewRow => {
    return { ...fanOut, uuid: newUuid(now), ...payloads.keep(fanOut.accountId, fanOut.input) };
  });
  await payloads.store(tx);
  await tx.query(
    `INSERT INTO event_fan_outs (${NEW_ROWS.names})
     SELECT r.id, r.account_id, r.triggers::uuid[], r.key, r.hops, r.source_lost, r.input::json, r.payload_id, r.input_bytes
     FROM unnest(${NEW_ROWS.arrays}) r (${NEW_ROWS.names})`,
    NEW_ROWS.valuesOf(rows),
  );
}

type NewRow = Omit<FanOut, 'input'> & StoredText & { uuid: string };

const NEW_ROWS = new RowArrays<NewRow>(1, {
  id: ['uuid', ({ uuid }) => uuid],
  account_id: ['uuid', ({ accountId }) => accountId],
  // PostgreSQL has no arrays of arrays of different lengths.
  triggers: ['text', ({ triggers }) => `{${triggers.join()}}`],
  key: ['text', ({ key }) => key],
  hops: ['int', ({ hops }) => hops],
  source_lost: ['bool', ({ sourceLost = false }) => sourceLost],
  input: ['text', ({ inline }) => inline],
  payload_id: ['uuid', ({ payloadUuid }) => payloadUuid],
  input_bytes: ['int', ({ bytes }) => bytes],
});

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
