import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError, validationError } from '../../../platform/errors.js';
import { unstorablePath, validateInput } from '../../../platform/validation.js';
import { keptOutput } from '../../runs/execution/step-output.js';
import { decisionText } from '../outcome.js';
import { type Wait } from '../wait.entity.js';
import { type WaitAnswerInput } from '../wait.inputs.js';
import { type WaitService } from '../wait.service.js';
import { type WaitAnswers } from './wait-answers.js';

/** The email address of a user or the label of a key; null if it has been deleted. */
export type NameOfCaller = (context: RequestContext) => Promise<string | null>;

/** Answers waits by their ids, for keys and people. */
export class WaitAnswering {
  constructor(
    private readonly db: Database,
    private readonly waits: Pick<WaitService, 'get'>,
    private readonly answers: WaitAnswers,
    private readonly nameOf: NameOfCaller,
  ) {}

  /**
   * @throws AppError `not_found`, `unauthorized`; `conflict` for a wait that is not pending, or that only a connection or
   * a run answers; then `validation_error` for an answer of the wrong form.
   */
  async answer(context: RequestContext, id: string, given: WaitAnswerInput): Promise<Wait> {
    const { accountId } = context;
    const wait = await findOwned<Pick<Wait, 'kind' | 'status' | 'runUuid' | 'stepIndex'>>(
      this.db,
      { table: 'waits', accountId, id },
      `kind, status, run_id AS "runUuid", step_index AS "stepIndex"`,
    );
    const { kind } = wait;
    if (kind !== 'approval' && kind !== 'callback')
      throw new AppError('conflict', `A wait for a ${kind} is answered by the ${kind} itself.`);
    if (wait.status !== 'pending') throw notPending(wait.status);
    validateInput(given);
    const text = kind === 'approval' ? decisionOf(given) : bodyOf(given);
    const by = await this.nameOf(context);
    const place = { accountId, runUuid: wait.runUuid, index: wait.stepIndex };
    const { wait: after, isTaken } = await this.answers.take({ ...place, kind, text, by });
    if (!isTaken) throw notPending(after.status);
    return this.waits.get(context, { id });
  }
}

function notPending(status: string): AppError {
  return new AppError('conflict', `The wait is not pending: it is ${status}.`);
}

function decisionOf({ decision, comment, body }: WaitAnswerInput): string {
  if (body !== undefined) throw validationError({ field: 'body', message: 'is for a callback: this is an approval' });
  if (decision == null) throw validationError({ field: 'decision', message: 'is required' });
  return decisionText(decision, comment ?? null, null);
}

function bodyOf({ decision, comment, body }: WaitAnswerInput): string {
  for (const [field, value] of Object.entries({ decision, comment }))
    if (value != null) throw validationError({ field, message: 'is for an approval: this is a callback' });
  if (body === undefined) throw validationError({ field: 'body', message: 'is required; it may be null' });
  const unstorable = unstorablePath(body, 'body');
  if (unstorable !== undefined)
    throw validationError({ field: unstorable, message: 'must not contain NUL or lone surrogates' });
  return keptOutput({ body })!.text!;
}
