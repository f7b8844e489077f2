import { type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { type WaitMove } from './wait-move.js';
import { type WaitEvents } from './wait-webhook.js';

/** A wait of the account changed: its changes up to `position` are committed. */
export const waitChanged = defineTopic<{ accountId: string; position: number }>(
  'wait_changed',
  ({ accountId, position }) => ({ of: accountId, position }),
);

interface PlacedMove extends WaitMove {
  uuid: string;
  /** How many moves of its account come after it. */
  later: number;
}

interface Sums {
  account: string;
  changes: number;
  /** How the number of pending waits changes. */
  pending: number;
}

const ACCOUNTS = new RowArrays<Sums>(1, {
  account: ['uuid', ({ account }) => account],
  changes: ['bigint', ({ changes }) => changes],
  pending: ['int', ({ pending }) => pending],
});

const MOVES = new RowArrays<PlacedMove>(4, {
  id: ['uuid', ({ uuid }) => uuid],
  account_id: ['uuid', ({ wait }) => wait.accountId],
  wait_id: ['uuid', ({ wait }) => wait.uuid],
  run_id: ['uuid', ({ wait }) => wait.runUuid],
  kind: ['text', ({ wait }) => wait.kind],
  later: ['int', ({ later }) => later],
  previous_status: ['text', ({ from }) => from],
  status: ['text', ({ wait }) => wait.status],
});

const NUMBER = `WITH n AS (
    INSERT INTO wait_counters AS c (account_id, position, pending)
    SELECT * FROM unnest(${ACCOUNTS.arrays}) s (${ACCOUNTS.names}) ORDER BY s.account
    ON CONFLICT (account_id) DO UPDATE SET position = c.position + excluded.position, pending = c.pending + excluded.pending
    RETURNING account_id, position),
  w AS (
    INSERT INTO wait_changes (id, account_id, wait_id, run_id, kind, position, previous_status, status, at)
    SELECT m.id, m.account_id, m.wait_id, m.run_id, m.kind, n.position - m.later, m.previous_status, m.status, $12::timestamptz
    FROM unnest(${MOVES.arrays}) m (${MOVES.names}) JOIN n USING (account_id))
  SELECT account_id AS "accountId", position FROM n`;

/** Records the changes of waits: webhook events, their history, the counters of their accounts, and hints. */
export class WaitRecorder {
  constructor(
    private readonly notifications: Notifications,
    private readonly events: WaitEvents,
  ) {}

  /** Call it last in a transaction that has written the waits. */
  async record(tx: Transaction, now: Date, moves: readonly WaitMove[]): Promise<void> {
    const number = await this.begin(tx, now, moves);
    await number();
  }

  /**
   * Records the events. @returns a function that numbers the changes, with one statement. Call it last in the transaction:
   * the counters lock the accounts' waits until the commit, so that changes of one account commit in the order of their
   * positions.
   */
  async begin(tx: Transaction, now: Date, moves: readonly WaitMove[]): Promise<() => Promise<void>> {
    if (moves.length === 0) return () => Promise.resolve();
    await this.events.record(tx, now, moves);
    return () => this.number(tx, now, moves);
  }

  private async number(tx: Transaction, now: Date, moves: readonly WaitMove[]): Promise<void> {
    const accounts = [...Map.groupBy(moves, ({ wait }) => wait.accountId)];
    const placed = accounts.flatMap(([, some]) =>
      some.map((move, place) => ({ ...move, uuid: newUuid(now), later: some.length - place - 1 })),
    );
    const sums = accounts.map(([account, some]) => ({
      account,
      changes: some.length,
      pending: some.reduce((sum, move) => sum + pendingAfter(move), 0),
    }));
    const last = await tx.query<{ accountId: string; position: number }>(NUMBER, [
      ...ACCOUNTS.valuesOf(sums),
      ...MOVES.valuesOf(placed),
      now,
    ]);
    this.notifications.publish(tx, waitChanged, ...last);
  }
}

/** How the number of pending waits changes. */
function pendingAfter({ wait, from }: WaitMove): number {
  return (wait.status === 'pending' ? 1 : 0) - (from === 'pending' ? 1 : 0);
}

/**
 * The numbers of pending waits, by account. Where one may reach `max`, it locks them until the commit, so that no other
 * transaction of these accounts adds any in between. Far below it does not: the lock would keep others waiting.
 */
export async function countPending(
  tx: Transaction,
  accounts: Iterable<string>,
  max: number,
): Promise<Map<string, number>> {
  const sorted = [...new Set(accounts)].sort();
  const pending = await pendingOf(tx, sorted, '');
  const isFar = [...pending.values()].every((count) => count < max / 2);
  return isFar ? pending : pendingOf(tx, sorted, 'FOR NO KEY UPDATE');
}

async function pendingOf(
  tx: Transaction,
  accounts: readonly string[],
  lock: '' | 'FOR NO KEY UPDATE',
): Promise<Map<string, number>> {
  const rows = await tx.query<{ account: string; pending: number }>(
    `SELECT account_id AS account, pending FROM wait_counters WHERE account_id = ANY($1) ORDER BY account_id ${lock}`,
    [accounts],
  );
  return new Map(rows.map(({ account, pending }) => [account, pending]));
}
