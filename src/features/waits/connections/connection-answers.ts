import { type Clock, laterOf } from '../../../platform/clock.js';
import { type Transaction } from '../../../platform/db/database.js';
import { newUuid, toPublicId } from '../../../platform/ids/ids.js';
import { lockRunsById } from '../../runs/control/continue-runs.js';
import { type Settlement, type WaitSettlement } from '../answering/settle-waits.js';
import { connectionText } from '../outcome.js';
import { type Wait } from '../wait.entity.js';
import { lockWaitsOf, type StepPlace } from '../wait-store.js';
import { type FindConnected, lockConnections, type Owned } from './lock-connections.js';

/** Waits that one transaction answers. */
const BATCH = 500;

/** A connected integration with a reference. */
export interface ConnectedFor extends Owned {
  integrationUuid: string;
}

/**
 * Answers the waits for a connection in the transaction that stores it. Beyond 500 runs, the transaction stores a row from
 * which workers answer the others: their waits are pending until then.
 */
export class ConnectionAnswers {
  constructor(
    private readonly clock: Clock,
    private readonly settlement: WaitSettlement,
    private readonly findConnected: FindConnected,
  ) {}

  /**
   * The caller's transaction stores the connection, or has given it this reference. @returns a function that numbers the
   * changes of the waits; call it last in the transaction.
   */
  async answer(tx: Transaction, connected: ConnectedFor): Promise<() => Promise<void>> {
    await lockConnections(tx, [connected]);
    const { isFull, finish } = await this.settle(tx, connected);
    if (isFull) await this.keep(tx, connected);
    return finish;
  }

  private async keep(tx: Transaction, connected: ConnectedFor): Promise<void> {
    const { accountId, integrationUuid, type, reference } = connected;
    await tx.query(
      `INSERT INTO connection_answers (id, account_id, integration_id, integration_type, reference)
       VALUES ($1, $2, $3, $4, $5)`,
      [newUuid(this.clock.now()), accountId, integrationUuid, type, reference],
    );
  }

  /**
   * Answers the next waits of a stored row with the connection that the end user has now: the one of the row may have ended or
   * got another reference since. @returns whether there may be more.
   */
  async answerNext(tx: Transaction, left: Owned): Promise<boolean> {
    await lockConnections(tx, [left]);
    const [integrationUuid] = await this.findConnected(tx, [left]);
    if (integrationUuid === undefined) return false;
    const { isFull, finish } = await this.settle(tx, { ...left, integrationUuid });
    await finish();
    return isFull;
  }

  /** `isFull`: there may be more. */
  private async settle(
    tx: Transaction,
    { accountId, type, reference, integrationUuid }: ConnectedFor,
  ): Promise<{ isFull: boolean; finish: () => Promise<void> }> {
    const now = this.clock.now();
    const waiting = await tx.query<{ [K in keyof StepPlace]: StepPlace[K] }>(
      `SELECT run_id AS "runUuid", step_index AS index FROM waits
       WHERE account_id = $1 AND integration_type = $2 AND reference = $3 AND status = 'pending' AND kind = 'connection'
       ORDER BY id LIMIT ${BATCH}`,
      [accountId, type, reference],
    );
    if (waiting.length === 0) return { isFull: false, finish: () => Promise.resolve() };
    const runs = await lockRunsById(
      tx,
      waiting.map(({ runUuid }) => runUuid),
    );
    const waits = await lockWaitsOf(tx, waiting);
    const answer = connectionText(toPublicId('int', integrationUuid));
    const settled = [...waits.values()].flatMap((wait): Settlement[] => {
      const run = runs.get(wait.runUuid);
      return wait.status === 'pending' && run !== undefined ? [{ run, wait: answered(wait, answer, now) }] : [];
    });
    const finish = await this.settlement.begin(tx, now, settled);
    return { isFull: waiting.length === BATCH, finish };
  }
}

function answered(wait: Wait, answerText: string, now: Date): Wait {
  return Object.assign(wait, { status: 'answered', answerText, answeredAt: laterOf(now, wait.createdAt) });
}
