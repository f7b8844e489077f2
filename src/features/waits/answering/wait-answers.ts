import { type StoredBytes } from '../../../platform/admission/daily/stored-bytes.js';
import { workFor, workForCallers } from '../../../platform/admission/work.js';
import { type Clock, laterOf } from '../../../platform/clock.js';
import { BatchedReads } from '../../../platform/db/batched-reads.js';
import { type Database } from '../../../platform/db/database.js';
import { GroupCommit } from '../../../platform/db/groups/group-commit.js';
import { asWriter, GROUP_BYTES } from '../../../platform/db/groups/group-options.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type LockedRun, lockRunsById } from '../../runs/control/continue-runs.js';
import { isFinished } from '../../runs/run-status.js';
import { type ActionService } from '../../actions/action.service.js';
import { type ListedWait } from '../../actions/lists/listed-waits.js';
import { UnreadableError } from '../../../platform/encryption/unreadable.js';
import { Wait } from '../wait.entity.js';
import { keyOf, lockWaitsOf, type StepPlace } from '../wait-store.js';
import { type Settlement, type WaitSettlement } from './settle-waits.js';

/** An answer to the wait of a step. */
export interface Answer extends StepPlace {
  accountId: string;
  kind: 'callback' | 'approval';
  /** The output of the step, as a JSON text that is short enough for it. */
  text: string;
  /** SHA-256 of posted bytes: the same bytes may be posted again. */
  digest?: Buffer;
  /** The person or key that answers; by the link of an approver, its number. */
  by: string | null | { approver: number };
}

/** An answer with the name of its action, once that was looked up. */
type Offer = Answer & { step?: string };

/** The outcome for an answer that came before its run reached the wait, and whose action is not known yet. */
class Unnamed {
  constructor(readonly actionsId: string | null) {}
}

/** A wait after an answer was offered. */
export interface Answered {
  wait: Wait;
  /** Whether this answer, or one of the same bytes, was taken. */
  isTaken: boolean;
}

const MEBIBYTE = 2 ** 20;
/** The maximum time that an answer waits for an unavailable database, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Takes answers to waits. Answers that arrive at the same time share a transaction. Of several to one wait exactly one is
 * taken: the run's row is locked first, and then its wait.
 */
export class WaitAnswers {
  private readonly group: GroupCommit<Offer, Answered | Unnamed>;
  private readonly owners: BatchedReads<string, string>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly actions: Pick<ActionService, 'waitsOf' | 'knownWaitsOf'>,
    private readonly settlement: WaitSettlement,
    private readonly stored: StoredBytes,
  ) {
    this.group = new GroupCommit({
      write: (answers, lockMs) =>
        asWriter(answers[0]!.accountId, lockMs, () => this.write(answers, lockMs), workForCallers),
      sizeOf: ({ text }) => text.length,
      laneOf: ({ accountId }) => accountId,
      rowOf: ({ runUuid }) => runUuid,
      group: { count: 128, bytes: GROUP_BYTES },
      waiting: { count: 10_000, bytes: 64 * MEBIBYTE },
      lanes: 2,
      patience: PATIENCE_MS,
    });
    this.owners = new BatchedReads(db, (runs) => this.accountsOf(runs));
  }

  /** The account of a run. @throws AppError `not_found` if the run is not stored any more. */
  async ownerOf(runUuid: string): Promise<string> {
    return (await this.owners.load(runUuid)) ?? Promise.reject(notFound('wait'));
  }

  /**
   * Offers an answer, and resolves after the commit. In a unit of work the answer is a part of it, committed with the rest.
   * @throws AppError `not_found` if the run is not stored any more, `gone` if it has ended without the wait,
   * `rate_limited` for an early answer while the account has stored too much, `unavailable` if it waited too long.
   */
  async take(answer: Answer): Promise<Answered> {
    const result = await this.offer(answer);
    if (!(result instanceof Unnamed)) return result;
    // Apart from the transaction, behind which answers of other accounts wait: a list of actions may have 1 MB.
    const { accountId } = answer;
    const step = nameAt(answer, await workFor(accountId, () => this.actions.waitsOf(accountId, result.actionsId)));
    if (step === undefined) throw new UnreadableError('The actions of the run cannot be decrypted.');
    return (await this.offer({ ...answer, step })) as Answered;
  }

  private async offer(answer: Offer): Promise<Answered | Unnamed> {
    if (!this.db.isInUnit) return this.group.add(answer);
    const [result] = await this.write([answer]);
    if (result instanceof Error) throw result;
    return result!;
  }

  close(): Promise<void> {
    return this.group.close();
  }

  private async accountsOf(runs: readonly string[]): Promise<(string | undefined)[]> {
    const sorted = runs.toSorted();
    const rows = await this.db.query<{ uuid: string; account: string }>(
      `SELECT r.id AS uuid, r.account_id AS account FROM runs r WHERE r.id = ANY($1) AND r.id >= $2 AND r.id <= $3`,
      [runs, sorted[0], sorted.at(-1)],
    );
    const found = new Map(rows.map(({ uuid, account }) => [uuid, account]));
    return runs.map((run) => found.get(run));
  }

  private async write(answers: readonly Offer[], lockMs?: number): Promise<(Answered | Unnamed | Error)[]> {
    const now = this.clock.now();
    const full = await this.stored.fullOf(answers.map(({ accountId }) => accountId));
    return this.db.transaction(async (tx) => {
      const runs = await lockRunsById(
        tx,
        answers.map(({ runUuid }) => runUuid),
      );
      const waits = await lockWaitsOf(tx, answers);
      const settled: Settlement[] = [];
      const results = answers.map((answer) => {
        const run = runs.get(answer.runUuid);
        const decided = run ? this.decide(answer, run, waits.get(keyOf(answer)), now) : notFound('wait');
        if (!('run' in decided)) return decided;
        // The run does not wait for it yet: without this, one run could take an answer for each of its steps.
        if (decided.isEarly === true && full.has(answer.accountId)) return this.stored.refusal(answer.accountId);
        // A second answer to the wait in this transaction finds it answered.
        waits.set(keyOf(answer), decided.wait);
        settled.push(decided);
        return { wait: decided.wait, isTaken: true };
      });
      await this.settlement.settle(tx, now, settled);
      tx.afterCommit(() => {
        for (const { wait } of settled) this.stored.add(wait.accountId, wait.answerText?.length ?? 0);
      });
      return results;
    }, lockMs);
  }

  private decide(
    answer: Offer,
    run: LockedRun,
    wait: Wait | undefined,
    now: Date,
  ): Settlement | Answered | Unnamed | Error {
    if (wait === undefined) {
      if (isFinished(run.status)) return gone('The run has ended without this wait.');
      const step = answer.step ?? nameAt(answer, this.actions.knownWaitsOf(run.actionsId));
      if (step === undefined) return new Unnamed(run.actionsId);
      return { run, wait: answeredBy(earlyWait(answer, step, run, now), answer, now), isEarly: true };
    }
    if (wait.status !== 'pending') {
      const isSame = answer.digest !== undefined && wait.answerDigest?.equals(answer.digest) === true;
      return { wait, isTaken: isSame };
    }
    return { run, wait: answeredBy(wait, answer, now) };
  }
}

function nameAt({ index }: Answer, waits: readonly ListedWait[] | undefined): string | undefined {
  return waits?.find((wait) => wait.index === index)?.name;
}

/** The error for an answer to a wait that is over without one. */
export function gone(message: string): AppError {
  return new AppError('gone', message);
}

function answeredBy(wait: Wait, { text, digest, by }: Answer, now: Date): Wait {
  const person = by !== null && typeof by === 'object' ? (wait.approvers?.[by.approver - 1] ?? null) : by;
  const answer = person !== null && wait.kind === 'approval' ? withPerson(text, person) : text;
  return Object.assign(wait, {
    status: 'answered',
    answerText: answer,
    answerDigest: digest ?? null,
    answeredBy: person,
    answeredAt: laterOf(now, wait.createdAt),
  });
}

/** The answer of an approval with the person, who is known only once the wait is read. */
function withPerson(text: string, by: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), by });
}

function earlyWait({ kind, index }: Answer, step: string, run: LockedRun, now: Date): Wait {
  const uuid = newUuid(now);
  return Object.assign(new Wait(), {
    uuid,
    accountId: run.accountId,
    workflowUuid: run.workflowUuid,
    runUuid: run.uuid,
    stepIndex: index,
    step,
    kind,
    title: null,
    text: null,
    approvers: null,
    onDenied: null,
    onTimeout: null,
    integrationType: null,
    reference: null,
    repeats: false,
    connectSessionUuid: null,
    isTest: run.isTest,
    hops: run.hops,
    createdAt: timeOf(uuid),
    expiresAt: null,
  });
}
