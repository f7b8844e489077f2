import { definitionOf } from '../../actions/action-kind.js';
import { type Action } from '../../actions/action.entity.js';
import { faultsOfConfig } from '../../actions/config-checks.js';
import { readsOf } from '../../actions/reads.js';
import { LargeJson, tooManyMembers } from '../../actions/placeholders/json-of.js';
import { MAX_RENDERED_BYTES, renderConfig, type RenderScope } from '../../actions/placeholders/render.js';
import { RenderError } from '../../actions/placeholders/render-error.js';
import { type ActionServices, type StepOutcome, type StepWork } from '../../actions/step-work.js';
import { isDatabaseAway, toAppError } from '../../../platform/errors.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';
import { type StepReading } from './run-space.js';
import { lengthOf } from './run-text.js';
import { scopeOf } from './step-scope.js';

/** Timeout of one attempt in milliseconds: 30 s for the call, the rest for its turn and a token renewal. */
export const ATTEMPT_MS = 50_000;

/** The outcome of a step that is not executed, because its output could not be stored. */
export const TOO_MUCH_STORED: StepOutcome = {
  kind: 'failed',
  error: {
    code: 'too_much_stored',
    message:
      'The account has stored as much as it may in a day (the setting STORED_LIMIT_MB), so the step was not executed.',
  },
};

/** One attempt at a step. */
export interface Attempt {
  run: ClaimedRun;
  step: StepState;
  /** The texts that the action reads; they can be read once. */
  space: StepReading;
  now: Date;
  /** Aborts when the stopping process can wait no longer. */
  stopping: AbortSignal;
}

/** Makes one attempt at the action of a step. Never rejects. */
export async function attemptStep(attempt: Attempt, services: ActionServices, logger: Logger): Promise<StepOutcome> {
  try {
    await attempt.space.load();
    return await begin(attempt, services);
  } catch (error) {
    return outcomeOf(error, attempt, logger);
  }
}

/** The outcome for a thrown error. Database failures are retried; other internal errors are logged. */
function outcomeOf(error: unknown, { run, step }: Pick<Attempt, 'run' | 'step'>, logger: Logger): StepOutcome {
  if (error instanceof RenderError) return { kind: 'failed', error: { code: error.code, message: error.message } };
  const trouble = toAppError(error);
  if (trouble.code === 'unavailable' || isDatabaseAway(error)) {
    return { kind: 'retry', error: { code: trouble.code, message: trouble.message } };
  }
  logger.error({ run: toPublicId('run', run.uuid), step: step.index, ...errorFields(error) }, 'step failed');
  return { kind: 'failed', error: { code: 'internal_error', message: 'The service could not execute the step.' } };
}

/** Ends the reading once the call has started: a running call holds only its rendered texts, and no parsed values. */
async function begin(attempt: Attempt, services: ActionServices): Promise<StepOutcome> {
  const { run, step, space } = attempt;
  const action = run.actions[step.index]!;
  const started = await space.read(async (texts, piece) => {
    const scope = await scopeOf(run, texts, readsOf(action), services.waitUrls, piece);
    await piece(Math.min(lengthOf(texts), MAX_RENDERED_BYTES));
    return { outcome: execute(attempt, renderStep(action, scope), services, scope) };
  });
  return started.outcome;
}

function execute(
  attempt: Attempt,
  config: Action['config'],
  services: ActionServices,
  scope: RenderScope,
): Promise<StepOutcome> | StepOutcome {
  const action = attempt.run.actions[attempt.step.index]!;
  const fault = faultOf(action, config, attempt.run, services);
  if (fault !== undefined) return { kind: 'failed', error: { code: 'invalid_config', message: fault } };
  return definitionOf(action.kind).execute(config, workOf(attempt, services), scope);
}

function workOf({ run, step, now, stopping }: Attempt, services: ActionServices): StepWork {
  let signal: AbortSignal | undefined;
  return {
    ...services,
    runId: toPublicId('run', run.uuid),
    accountId: run.accountId,
    hops: run.hops,
    index: step.index,
    startedAt: step.startedAt,
    now,
    // Created on first use: a condition needs none.
    get signal() {
      return (signal ??= AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_MS)]));
    },
  };
}

/** The config of an action with its placeholders filled in. @throws RenderError */
export function renderStep({ kind, config }: Action, scope: RenderScope): Action['config'] {
  const definition = definitionOf(kind);
  const rendered =
    definition.render?.(config, scope) ?? (renderConfig(config, scope, MAX_RENDERED_BYTES) as Action['config']);
  return Object.fromEntries(
    Object.entries(rendered).map(([key, value]) => {
      const { isText, isJson } = definition.keys[key] ?? {};
      if (value instanceof LargeJson && isJson !== true) throw tooManyMembers('The body of the trigger');
      return [key, isText === true ? asTexts(value) : value];
    }),
  );
}

function asTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return asText(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asText(inner)]));
}

/** A text that is one placeholder has the type of its value. */
function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Validates again: placeholders may have inserted values that saving the action would have refused. */
function faultOf(
  { kind }: Action,
  config: Action['config'],
  { actions }: ClaimedRun,
  { applications: { offersType } }: ActionServices,
): string | undefined {
  const names = new Set(actions.map(({ name }) => name));
  const definition = definitionOf(kind);
  const literal = Object.entries(config).map(([key, value]) => [
    key,
    definition.keys[key]?.isJson === true ? value : literally(value),
  ]);
  const [fault] = faultsOfConfig(definition, Object.fromEntries(literal) as Action['config'], 'config', {
    earlier: names,
    offersType,
    isRendered: true,
  });
  return fault && `${fault.field} ${fault.message}.`;
}

/** Escapes braces: those in an inserted value are no placeholders. */
function literally(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return value.map(literally);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literally(inner)]));
}
