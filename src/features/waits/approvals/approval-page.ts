import { workFor } from '../../../platform/admission/work.js';
import { AppError } from '../../../platform/errors.js';
import { isFinished } from '../../runs/run-status.js';
import { type RetriedWaits } from '../answering/retried-waits.js';
import { type WaitAnswers } from '../answering/wait-answers.js';
import { decisionText } from '../outcome.js';
import { type PlacedWaits, type RunOfPage } from '../placed-waits.js';
import { type Wait } from '../wait.entity.js';
import { type WaitPlace, type WaitTokens } from '../wait-tokens.js';
import { type Asked, type Decided } from './approval.pages.js';

/** The state of an approval as its page shows it. */
export type ShownApproval =
  | { kind: 'asked'; asked: Asked; place: WaitPlace; accountId: string }
  | { kind: 'decided'; decided: Decided; isNew: boolean }
  | { kind: 'over' };

/** Finds and decides approvals by the token of their pages. */
export class ApprovalPageService {
  constructor(
    private readonly places: PlacedWaits,
    private readonly tokens: WaitTokens,
    private readonly answers: WaitAnswers,
    private readonly retried: RetriedWaits,
  ) {}

  /** Undefined for a made-up token, or if the run is not stored any more. */
  async find(token: string): Promise<ShownApproval | undefined> {
    const place = this.tokens.placeOf('approval', token);
    if (place === undefined) return undefined;
    const run = await this.places.run(place);
    const found = run && (await this.findAt(place, run));
    if (found?.kind !== 'over') return found;
    const next = await workFor(run!.accountId, () => this.retried.placeAfter('approval', place));
    const retry = next && (await this.places.run(next));
    return retry === undefined ? found : this.findAt(next!, retry);
  }

  private async findAt(place: WaitPlace, run: RunOfPage): Promise<ShownApproval> {
    const wait = await workFor(run.accountId, () => this.places.wait(place));
    if (wait !== undefined && wait.status !== 'pending') return shownAfter(wait, false);
    if (wait === undefined && isFinished(run.status)) return { kind: 'over' };
    const { accountId, account, workflow } = run;
    const approver = wait?.approvers?.[place.approver - 1] ?? null;
    const { title = null, text = null, expiresAt = null } = wait ?? {};
    return { kind: 'asked', place, accountId, asked: { title, text, workflow, account, approver, expiresAt } };
  }

  /** Decides an approval, unless another decision was first. */
  async decide(
    { place, accountId }: Extract<ShownApproval, { kind: 'asked' }>,
    decision: 'approved' | 'denied',
    comment: string | null,
  ): Promise<ShownApproval> {
    const { runUuid, index, approver } = place;
    const by = approver === 0 ? null : { approver };
    const text = decisionText(decision, comment, null);
    try {
      const answer = { accountId, runUuid, index, kind: 'approval', text, by } as const;
      const { wait, isTaken } = await workFor(accountId, () => this.answers.take(answer));
      return shownAfter(wait, isTaken);
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return { kind: 'over' };
      throw error;
    }
  }
}

function shownAfter({ status, title, answerText, answeredAt }: Wait, isNew: boolean): ShownApproval {
  if (status !== 'answered') return { kind: 'over' };
  const { decision, comment, by } = JSON.parse(answerText!) as Pick<Decided, 'decision' | 'comment' | 'by'>;
  return { kind: 'decided', isNew, decided: { title, decision, comment, by, at: answeredAt! } };
}
