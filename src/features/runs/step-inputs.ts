import { type Action } from '../actions/action.entity.js';
import { type ActionService } from '../actions/action.service.js';
import { outputReader } from '../actions/placeholders/output-value.js';
import { resolvePath } from '../actions/placeholders/path.js';
import { readsOf } from '../actions/reads.js';
import { RenderError, type RenderScope } from '../actions/placeholders/render.js';
import { type RequestContext } from '../../platform/context.js';
import { validationError } from '../../platform/errors.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { JsonText } from '../../platform/json/json-text.js';
import { isAllowed } from '../../platform/graphql/access.js';
import { renderStep } from './execution/run-step.js';
import { urlOf, type WaitUrls } from './execution/step-scope.js';
import { type Run } from './run.entity.js';
import { type RunService } from './run.service.js';
import { type Step } from './step.entity.js';

/** The maximum bytes of JSON of one input, and of all inputs that one operation asks for. */
const MAX_BYTES = 65_536;
const MAX_BYTES_IN_ALL = 8 * 1_048_576;
/** The maximum bytes parsed for one operation, which may take twenty times the memory. No single run has more. */
const MAX_BYTES_PARSED = 16 * 1_048_576;
const HIDDEN = '[hidden]';

/** The data from which a step's input is rendered. */
interface Given {
  run: Run;
  /** Undefined if the run has no action with the step's index. */
  action: Action | undefined;
  /** The actions of the run. */
  actions: readonly Action[];
  /** The steps that the action's placeholders name, and maybe others. */
  steps: readonly Step[];
}

/**
 * The inputs of steps: the configs of their actions, rendered again from the run's input and earlier outputs. They are
 * not stored, since most of their content is in the run already.
 */
export class StepInputs {
  private readonly rendered = new WeakMap<RequestContext, number>();

  constructor(
    private readonly db: Parameters<ActionService['ofRuns']>[0],
    private readonly runs: RunService,
    private readonly actions: Pick<ActionService, 'ofRuns'>,
    private readonly urls: WaitUrls,
  ) {}

  /** Null if a placeholder finds no value, or one that was cut. @throws AppError `validation_error` if the operation asks for too much. */
  async of(context: RequestContext, step: Step): Promise<JsonText | null> {
    const { run, action, actions, steps } = await this.givenTo(context, step);
    if (action === undefined) return null;
    const earlier = steps.filter(({ index }) => index < step.index);
    try {
      const urlOf = (name: string) => this.waitUrl(context, { uuid: run.uuid, actions, steps }, name);
      const input = renderStep(action, scopeOf(run, earlier, urlOf));
      this.count(context, JSON.stringify(input).length);
      return new JsonText(boundedText(withoutSecrets(input)));
    } catch (error) {
      if (error instanceof RenderError) return null;
      throw error;
    }
  }

  /** The URL of a wait is enough to answer it, so a read-only key does not see it. */
  private waitUrl(
    { caller }: RequestContext,
    run: { uuid: string; actions: readonly Action[]; steps: readonly Step[] },
    name: string,
  ): string | undefined {
    const url = urlOf(run, name, this.urls);
    return url === undefined || isAllowed(caller, 'write') ? url : HIDDEN;
  }

  private givenTo(context: RequestContext, step: Step): Promise<Given> {
    return context.batch(this, step, (steps) => this.load(context, steps));
  }

  /** Reads only the earlier outputs that a config names: an output may have 256 kB. */
  private async load(context: RequestContext, asked: readonly Step[]): Promise<(Given | Error)[]> {
    const uuids = [...new Set(asked.map(({ runUuid }) => runUuid))];
    const runs = await this.runs.byUuid(context, uuids, 'whole');
    const there = runs.filter((run): run is Run => !(run instanceof Error));
    const lists = await this.actions.ofRuns(this.db, there);
    const found = new Map(runs.map((run, place) => [uuids[place], run]));
    const given = asked.map(({ runUuid, index }) => {
      const run = found.get(runUuid)!;
      if (run instanceof Error) return run;
      const actions = lists.get(run.actionsId ?? '') ?? [];
      return { run, action: actions[index], actions };
    });
    const named = new Set(given.flatMap((one) => (one instanceof Error ? [] : namesOf(one.action))));
    const steps = await this.runs.stepsNamed(context, uuids, [...named]);
    parse(there, steps);
    const byRun = Map.groupBy(steps, ({ runUuid }) => runUuid);
    return given.map((one) => (one instanceof Error ? one : { ...one, steps: byRun.get(one.run.uuid) ?? [] }));
  }

  private count(context: RequestContext, bytes: number): void {
    const rendered = (this.rendered.get(context) ?? 0) + bytes;
    this.rendered.set(context, rendered);
    if (rendered > MAX_BYTES_IN_ALL) throw tooMuch();
  }
}

function namesOf(action: Action | undefined): string[] {
  if (action === undefined) return [];
  const { texts, placeholders } = readsOf(action);
  const waits = placeholders.filter(([root]) => root === 'waits').map(([, name]) => name!);
  return [...[...texts.keys()].filter((name) => typeof name === 'string'), ...waits];
}

/** All values that a step's placeholders could read. */
function scopeOf(run: Run, steps: readonly Step[], waitUrl: (name: string) => string | undefined): RenderScope {
  const { uuid, triggerUuid, triggerType } = run;
  const done = steps.filter(({ status }) => status === 'succeeded');
  const outputs = new Map(done.map(({ name, output }) => [name, outputReader(name, output)]));
  const values = {
    trigger: {
      body: run.input,
      headers: run.triggerHeadersJson,
      query: run.triggerQueryJson,
      type: triggerType,
      id: triggerUuid === null ? null : toPublicId('trg', triggerUuid),
    },
    run: { id: toPublicId('run', uuid) },
  };
  return (path) => {
    const [root, name = '', ...rest] = path;
    if (root === 'waits') return waitUrl(name);
    return root === 'steps' ? outputs.get(name)?.(rest) : resolvePath(values, path);
  };
}

/** @throws AppError `validation_error` instead of parsing too much. */
function parse(runs: readonly Run[], steps: readonly Step[]): void {
  const ofRuns = runs.flatMap((run) => [run.inputText, run.triggerHeadersText, run.triggerQueryText]);
  const texts = [...ofRuns, ...steps.map(({ outputText }) => outputText)];
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > MAX_BYTES_PARSED) throw tooMuch();
  for (const run of runs) {
    run.input = JSON.parse(run.inputText ?? 'null');
    run.triggerHeadersJson = JSON.parse(run.triggerHeadersText ?? 'null');
    run.triggerQueryJson = JSON.parse(run.triggerQueryText ?? 'null');
  }
  for (const step of steps) step.output = JSON.parse(step.outputText ?? 'null');
}

function tooMuch(): Error {
  return validationError({ field: 'input', message: 'is too much for one operation: ask for those of fewer runs' });
}

/** Hides the values of headers, which may be credentials, and keeps their names. */
function withoutSecrets(input: Action['config']): Record<string, unknown> {
  const { headers } = input;
  if (typeof headers !== 'object' || headers === null) return { ...input };
  return { ...input, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])) };
}

function boundedText(input: Record<string, unknown>): string {
  const text = JSON.stringify(input);
  if (text.length <= MAX_BYTES) return text;
  const short = Object.entries(input).filter(([, value]) => JSON.stringify(value).length <= MAX_BYTES / 16);
  return JSON.stringify({ ...Object.fromEntries(short), truncated: true });
}
