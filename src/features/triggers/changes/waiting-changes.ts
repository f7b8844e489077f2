import { type Database, type Transaction } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { webhooksFor } from '../../webhooks/record-events.js';
import { type TriggerStatus } from '../../workflows/trigger-type.js';
import { fanOuts, MAX_AT_ONCE } from '../fan-outs.js';
import { recordTriggerEvent, recordTriggerEvents, type TriggerEvent, type TriggerEvents } from './trigger-webhook.js';

/**
 * The maximum number of an account's triggers, counted once for each change, whose events wait. Further connections
 * that change triggers are refused; the end of a connection never is.
 */
export const MAX_WAITING_TRIGGERS = 100_000;

/** A change of the status of an account's triggers, in a transaction that has locked the account. */
export interface StatusChange extends Change {
  accountId: string;
  uuids: readonly string[];
}

interface Change {
  status: TriggerStatus;
  at: Date;
  hops: number;
}

/** A change as it waits: for the webhooks that wanted it. */
interface Waiting extends Change {
  webhooks: string[];
}

const COLUMNS = 'status, at, hops, webhooks';

/**
 * Records `trigger.updated` events in the transaction of the change: for up to 500 triggers at once, and the others as
 * a row, which a job works off. Behind a waiting row all of them wait, so that the events of a trigger keep their
 * order. @throws AppError `rate_limited` for triggers that are active again while too many wait.
 */
export async function recordStatusChange(tx: Transaction, change: StatusChange): Promise<void> {
  const { accountId, status, at, hops, uuids } = change;
  if (uuids.length === 0) return;
  const webhooks = await webhooksFor(tx, accountId, 'trigger.updated');
  if (webhooks === undefined) return;
  const waiting = await countWaiting(tx, accountId);
  const share = waiting === 0 ? MAX_AT_ONCE : 0;
  await recordTriggerEvents(tx, { type: 'trigger.updated', at, hops, uuids: uuids.slice(0, share), webhooks });
  const rest = uuids.slice(share);
  if (rest.length === 0) return;
  if (status === 'active' && waiting >= MAX_WAITING_TRIGGERS) throw tooManyWait();
  await tx.query(
    `INSERT INTO trigger_change_fan_outs (account_id, triggers, status, hops, at, webhooks)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [accountId, rest, status, hops, at, webhooks],
  );
}

/** Records the events of waiting changes. Those of a full account, each with the trigger's config, wait until it has room. */
export function waitingChanges(db: Database, logger: Logger, isFull: (account: string) => Promise<boolean>) {
  return fanOuts<Waiting>(db, logger, {
    table: 'trigger_change_fan_outs',
    columns: COLUMNS,
    work: (tx, { triggers, ...change }) => recordTriggerEvents(tx, eventsOf(change, triggers)),
    mayWork: async (account) => !(await isFull(account)),
    failure: 'triggers: events of a change could not be recorded',
  });
}

/**
 * Records the waiting events of a trigger that the caller's transaction has just changed or deleted, before the event
 * of that. `trigger` is its state before.
 */
export async function recordWaitingOf(tx: Transaction, trigger: TriggerEvent['trigger']): Promise<void> {
  for (const { triggers: _, status, ...change } of await take(tx, trigger.accountId, [trigger.uuid]))
    await recordTriggerEvent(tx, { type: 'trigger.updated', ...change, trigger: { ...trigger, status } });
}

/** Records the waiting events of triggers that the caller's transaction has locked and deletes with their workflow. */
export async function recordWaitingOfAll(tx: Transaction, accountId: string, uuids: readonly string[]): Promise<void> {
  for (const { triggers, ...change } of await take(tx, accountId, uuids))
    await recordTriggerEvents(tx, { ...eventsOf(change, triggers), goWithWorkflow: true });
}

function eventsOf({ status, at, hops, webhooks }: Waiting, uuids: readonly string[]): TriggerEvents {
  return { type: 'trigger.updated', status, at, hops, webhooks, uuids };
}

async function countWaiting(tx: Transaction, accountId: string): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(
    `SELECT coalesce(sum(cardinality(triggers)), 0) AS waiting FROM trigger_change_fan_outs WHERE account_id = $1`,
    [accountId],
  );
  return row!.waiting;
}

/** Removes triggers from the waiting changes. @returns these changes, oldest first, with the removed ones of each. */
async function take(
  tx: Transaction,
  accountId: string,
  uuids: readonly string[],
): Promise<(Waiting & { triggers: string[] })[]> {
  const found = await tx.query<Waiting & { id: number; triggers: string[] }>(
    `SELECT id, ${COLUMNS}, ARRAY(SELECT unnest(triggers) INTERSECT SELECT unnest($2::uuid[])) AS triggers
     FROM trigger_change_fan_outs WHERE account_id = $1 AND triggers && $2::uuid[] ORDER BY id FOR NO KEY UPDATE`,
    [accountId, uuids],
  );
  if (found.length > 0) {
    await tx.query(
      `UPDATE trigger_change_fan_outs SET triggers = ARRAY(
         SELECT uuid FROM unnest(triggers) WITH ORDINALITY AS remaining (uuid, place) WHERE uuid <> ALL($2::uuid[])
         ORDER BY place)
       WHERE id = ANY($1)`,
      [found.map(({ id }) => id), uuids],
    );
  }
  return found.map(({ id: _, ...change }) => change);
}

function tooManyWait(): AppError {
  const most = MAX_WAITING_TRIGGERS.toLocaleString('en');
  const message = `Webhook events about ${most} triggers of the account are still to be recorded. Try again shortly.`;
  return new AppError('rate_limited', message, { retryAfter: 5 });
}
