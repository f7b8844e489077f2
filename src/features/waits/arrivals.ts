import { laterOf } from '../../platform/clock.js';
import { type Transaction } from '../../platform/db/database.js';
import { newUuid, timeOf, toPublicId } from '../../platform/ids/ids.js';
import { type StepError } from '../actions/step-work.js';
import { type WaitRequest } from '../actions/wait-request.js';
import { type Arrival, type Arrived, type RunWaits, type WaitOutcome } from '../runs/execution/run-waits.js';
import { earlyAnswersOf } from './answering/retried-waits.js';
import { type ApprovalMails } from './approvals/approval-mails.js';
import { countPending, type WaitRecorder } from './changes/record-moves.js';
import { type WaitMove } from './changes/wait-move.js';
import { type FindConnected, lockConnections } from './connections/lock-connections.js';
import { outcomeAtArrival } from './outcome.js';
import { WAIT_COLUMNS } from './wait-columns.js';
import { Wait } from './wait.entity.js';
import { keyOf, lockWaitsOf, saveWaits } from './wait-store.js';

/** The maximum of pending waits of an account. */
export const MAX_PENDING = 100_000;

const TOO_MANY: StepError = {
  code: 'too_many_waits',
  message: `An account may have at most ${MAX_PENDING.toLocaleString('en')} pending waits.`,
};
const MISSING_AGAIN: StepError = {
  code: 'not_connected',
  message: 'The connection was there and is missing again. A step waits for it only once.',
};

const CANCELED = WAIT_COLUMNS.none;

/** Begins the waits of runs that reach them, and cancels those of runs that end. */
export class WaitArrivals implements RunWaits {
  constructor(
    private readonly recorder: WaitRecorder,
    private readonly mails: ApprovalMails,
    private readonly findConnected: FindConnected,
    private readonly maxPending = MAX_PENDING,
  ) {}

  async arrive(tx: Transaction, now: Date, arrivals: readonly Arrival[]): Promise<Arrived> {
    const connected = await this.connectedOf(tx, arrivals);
    const known = await lockWaitsOf(tx, arrivals.map(placeOf));
    const outcomes = new Map<Arrival, WaitOutcome>();
    const beginning: Arrival[] = [];
    const early: Wait[] = [];
    for (const arrival of arrivals) {
      const wait = known.get(keyOf(placeOf(arrival)));
      const integration = connected.get(arrival);
      if (integration !== undefined) outcomes.set(arrival, outcomeOfConnection(arrival, integration));
      else if (wait === undefined) beginning.push(arrival);
      else if (wait.kind === 'connection') outcomes.set(arrival, { kind: 'failed', error: MISSING_AGAIN });
      else {
        // Until now its time was that of the early answer.
        Object.assign(wait, termsOf(arrival.what, now), { createdAt: laterOf(now, wait.createdAt) });
        early.push(wait);
        outcomes.set(arrival, outcomeAtArrival(wait));
      }
    }
    const answers = await earlyAnswersOf(tx, beginning);
    const asking = beginning.filter((arrival) => !answers.has(arrival));
    const moves = await this.begin(tx, now, asking, outcomes);
    for (const [arrival, answer] of answers) {
      const wait = answeredAs(answer, arrival, now);
      moves.push({ wait, from: null });
      outcomes.set(arrival, outcomeAtArrival(wait));
    }
    await saveWaits(tx, [...early, ...moves.map(({ wait }) => wait)]);
    const finish = await this.recorder.begin(tx, now, moves);
    return { outcomes: arrivals.map((arrival) => outcomes.get(arrival)), finish };
  }

  async cancel(tx: Transaction, now: Date, runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return;
    const waits = await tx.select(
      Wait,
      `UPDATE waits w SET status = 'canceled' WHERE w.run_id = ANY($1) AND w.status = 'pending' RETURNING ${CANCELED}`,
      [runs],
    );
    await this.recorder.record(
      tx,
      now,
      waits.map((wait) => ({ wait, from: 'pending' })),
    );
  }

  /** The connections that are there already. Locked first, so that none can be made unseen before the commit. */
  private async connectedOf(tx: Transaction, arrivals: readonly Arrival[]): Promise<Map<Arrival, string>> {
    const wanting = arrivals.flatMap((arrival) => {
      const { run, what } = arrival;
      if (what.kind !== 'connection') return [];
      return [{ arrival, owned: { accountId: run.accountId, type: what.type, reference: what.reference } }];
    });
    if (wanting.length === 0) return new Map();
    const owned = wanting.map((one) => one.owned);
    await lockConnections(tx, owned);
    const found = await this.findConnected(tx, owned);
    return new Map(
      wanting.flatMap(({ arrival }, place) => (found[place] === undefined ? [] : [[arrival, found[place]] as const])),
    );
  }

  /** Makes the waits that may begin, and notes the outcome of those that may not. */
  private async begin(
    tx: Transaction,
    now: Date,
    arrivals: readonly Arrival[],
    outcomes: Map<Arrival, WaitOutcome>,
  ): Promise<WaitMove[]> {
    if (arrivals.length === 0) return [];
    const pending = await countPending(
      tx,
      arrivals.map(({ run }) => run.accountId),
      this.maxPending,
    );
    const moves: WaitMove[] = [];
    for (const arrival of arrivals) {
      const { accountId } = arrival.run;
      const before = pending.get(accountId) ?? 0;
      const wait = waitOf(arrival, now);
      const refusal = before >= this.maxPending ? TOO_MANY : await this.mails.queue(tx, wait);
      if (refusal !== undefined) outcomes.set(arrival, { kind: 'failed', error: refusal });
      else {
        pending.set(accountId, before + 1);
        moves.push({ wait, from: null });
      }
    }
    return moves;
  }
}

function placeOf({ run, step }: Arrival): { runUuid: string; index: number } {
  return { runUuid: run.uuid, index: step.index };
}

function outcomeOfConnection({ what }: Arrival, integration: string): WaitOutcome {
  if (what.kind === 'connection' && what.repeats) return { kind: 'again' };
  return { kind: 'succeeded', output: { integration_id: toPublicId('int', integration) } };
}

function waitOf({ run, step, what }: Arrival, now: Date): Wait {
  const uuid = newUuid(now);
  return Object.assign(new Wait(), {
    uuid,
    accountId: run.accountId,
    workflowUuid: run.workflowUuid,
    runUuid: run.uuid,
    stepIndex: step.index,
    step: step.name,
    kind: what.kind,
    status: 'pending',
    integrationType: what.kind === 'connection' ? what.type : null,
    reference: what.kind === 'connection' ? what.reference : null,
    repeats: what.kind === 'connection' && what.repeats,
    connectSessionUuid: null,
    answerText: null,
    answerDigest: null,
    answeredBy: null,
    answeredAt: null,
    isTest: run.isTest,
    hops: run.hops,
    createdAt: timeOf(uuid),
    ...termsOf(what, now),
  });
}

/** The wait of a retry that takes the early answer of an earlier run. */
function answeredAs({ answerText, answerDigest, answeredBy }: Wait, arrival: Arrival, now: Date): Wait {
  const wait = waitOf(arrival, now);
  const answer = { status: 'answered', answerText, answerDigest, answeredBy, answeredAt: wait.createdAt } as const;
  return Object.assign(wait, answer);
}

type Terms = Pick<Wait, 'title' | 'text' | 'approvers' | 'onDenied' | 'onTimeout' | 'expiresAt'>;

/** What is known of a wait only once its run reaches it. */
function termsOf(what: WaitRequest, now: Date): Terms {
  const expiresAt = new Date(now.getTime() + what.seconds * 1_000);
  if (what.kind !== 'approval')
    return { title: null, text: null, approvers: null, onDenied: null, onTimeout: null, expiresAt };
  const { title, text, approvers, onDenied, onTimeout } = what;
  return { title, text, approvers: approvers.length === 0 ? null : [...approvers], onDenied, onTimeout, expiresAt };
}
