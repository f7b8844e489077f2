import { type Action } from '../actions/action.entity.js';
import { type ActionService } from '../actions/action.service.js';
import { readsOf, type TextName, textNameOf, unparsedLength } from '../actions/reads.js';
import { MAX_RENDERED_BYTES, type RenderScope } from '../actions/placeholders/render.js';
import { jsonOf } from '../actions/placeholders/json-of.js';
import { RenderError } from '../actions/placeholders/render-error.js';
import { holderLane, LONG_BYTES, LongWork } from '../../platform/admission/long-work.js';
import { OneByOne } from '../../platform/admission/one-by-one.js';
import { demandClient } from '../../platform/admission/work.js';
import { type RequestContext } from '../../platform/context.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { JsonText } from '../../platform/json/json-text.js';
import { isAllowed } from '../../platform/graphql/access.js';
import { renderStep } from './execution/run-step.js';
import { urlOf, type WaitUrls } from './execution/step-scope.js';
import { InputBudget, InputValues, textsOf } from './input-values.js';
import { type Run } from './run.entity.js';
import { type RunService } from './run.service.js';
import { type Step } from './step.entity.js';

/** The maximum bytes of JSON of one input. */
const MAX_BYTES = 65_536;
const HIDDEN = '[hidden]';

/** A run with its actions, and the steps whose inputs an operation asks for. */
interface Asked {
  run: Run;
  actions: readonly Action[];
  /** The steps that the actions' placeholders name, and maybe others. */
  steps: readonly Step[];
  /** The indices of the steps to render. */
  indices: ReadonlySet<number>;
}

/** The rendered inputs of a run, by the index of the step. */
type Rendered = ReadonlyMap<number, JsonText | null>;

/**
 * The inputs of steps: the configs of their actions, rendered again from the run's input and earlier outputs. They are
 * not stored, since most of their content is in the run already.
 */
export class StepInputs {
  /** One run with large texts at a time: what is parsed of it may take twenty times their memory. */
  private readonly largeRuns = new OneByOne();
  private readonly budgets = new WeakMap<RequestContext, InputBudget>();

  constructor(
    private readonly db: Parameters<ActionService['ofRuns']>[0],
    private readonly runs: RunService,
    private readonly actions: Pick<ActionService, 'ofRuns'>,
    private readonly urls: WaitUrls,
    private readonly long = new LongWork(),
  ) {}

  /** Null if a placeholder finds no value, or one that was cut. @throws AppError `validation_error` if the operation asks for too much. */
  of(context: RequestContext, step: Step): Promise<JsonText | null> {
    return context.batch(this, step, (steps) => this.render(context, steps));
  }

  private async render(context: RequestContext, asked: readonly Step[]): Promise<(JsonText | null | Error)[]> {
    const rendered = new Map<string, Rendered | Error>();
    for (const [uuid, run] of await this.load(context, asked)) {
      rendered.set(uuid, run instanceof Error ? run : await this.inTurn(context, run));
    }
    return asked.map(({ runUuid, index }) => {
      const inputs = rendered.get(runUuid)!;
      return inputs instanceof Error ? inputs : (inputs.get(index) ?? null);
    });
  }

  /** Reads only the texts that a config names: an input may have 1 MB, an output 256 kB. */
  private async load(context: RequestContext, asked: readonly Step[]): Promise<Map<string, Asked | Error>> {
    const indices = new Map(
      [...Map.groupBy(asked, ({ runUuid }) => runUuid)].map(([uuid, some]) => [
        uuid,
        new Set(some.map(({ index }) => index)),
      ]),
    );
    const uuids = [...indices.keys()];
    const runs = await this.runs.byUuid(context, uuids, 'none');
    const lists = await this.actions.ofRuns(
      this.db,
      runs.filter((run): run is Run => !(run instanceof Error)),
    );
    const actionsOf = (run: Run | Error) => (run instanceof Error ? [] : (lists.get(run.actionsId ?? '') ?? []));
    const read: ReturnType<typeof namesIn>[] = [];
    for (const [place, run] of runs.entries()) {
      const [actions, of] = [actionsOf(run), indices.get(uuids[place]!)!];
      await this.long.piece(context.accountId, unparsedIn(actions, of));
      read.push(namesIn(actions, of));
    }
    const whole = uuids.filter((_, place) => read[place]!.isOfTrigger);
    const ofTrigger = whole.length === 0 ? [] : await this.runs.byUuid(context, whole, 'whole');
    const named = read.flatMap(({ steps }, place) => [...steps].map((name) => ({ run: uuids[place]!, name })));
    const steps = Map.groupBy(await this.runs.stepsNamed(context, named), ({ runUuid }) => runUuid);
    const found = new Map<string, Run | Error>(runs.map((run, place) => [uuids[place]!, run]));
    whole.forEach((uuid, place) => found.set(uuid, ofTrigger[place]!));
    return new Map(
      [...found].map(([uuid, run]) => {
        const actions = actionsOf(run);
        const one = { run: run as Run, actions, steps: steps.get(uuid) ?? [], indices: indices.get(uuid)! };
        return [uuid, run instanceof Error ? run : one];
      }),
    );
  }

  private inTurn(context: RequestContext, asked: Asked): Promise<Rendered> {
    const texts = textsOf(asked.run, asked.steps);
    const bytes = [...texts.values()].reduce((sum, { length }) => sum + length, 0);
    const work = () => this.rendered(context, asked, texts);
    return bytes > LONG_BYTES ? this.largeRuns.add(context.accountId, work) : work();
  }

  /** Renders step by step, so that values of one step at a time are in memory, and small ones of others. */
  private async rendered(
    context: RequestContext,
    { run, actions, steps, indices }: Asked,
    texts: ReadonlyMap<TextName, string>,
  ): Promise<Rendered> {
    const budget = this.budgetOf(context);
    const paths = [...indices].flatMap((index) => (actions[index] ? readsOf(actions[index]).placeholders : []));
    const piece = async (bytes: number): Promise<void> => {
      demandClient();
      await this.long.piece(holderLane(context.accountId), bytes);
    };
    const values = new InputValues(texts, paths, budget, piece);
    const rendered = new Map<number, JsonText | null>();
    const urlOf = (name: string) => this.waitUrl(context, { uuid: run.uuid, actions, steps }, name);
    try {
      for (const index of indices) {
        const action = actions[index];
        if (action === undefined) continue;
        const { placeholders, length } = readsOf(action);
        const bytes = await values.load(placeholders.map(textNameOf).filter((name) => name !== undefined));
        await piece(Math.min(MAX_RENDERED_BYTES, length + bytes));
        rendered.set(index, inputOf(action, scopeOf(run, values, urlOf), budget));
      }
    } finally {
      values.leave();
    }
    return rendered;
  }

  private budgetOf(context: RequestContext): InputBudget {
    const budget = this.budgets.get(context) ?? new InputBudget();
    this.budgets.set(context, budget);
    return budget;
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
}

/** The characters of JSON that `namesIn` parses. */
function unparsedIn(actions: readonly Action[], indices: ReadonlySet<number>): number {
  return [...indices].reduce((sum, index) => sum + (actions[index] ? unparsedLength(actions[index]) : 0), 0);
}

/** The texts that the placeholders of some steps of a run read. */
function namesIn(actions: readonly Action[], indices: ReadonlySet<number>) {
  const placeholders = [...indices].flatMap((index) => (actions[index] ? readsOf(actions[index]).placeholders : []));
  const names = placeholders.map(textNameOf).filter((name) => name !== undefined);
  const waits = placeholders.filter(([root]) => root === 'waits').map(([, name]) => name!);
  return {
    isOfTrigger: names.some((name) => typeof name !== 'string'),
    steps: new Set([...names.filter((name) => typeof name === 'string'), ...waits]),
  };
}

/** Null if a placeholder finds no value, or one that was cut. */
function inputOf(action: Action, scope: RenderScope, budget: InputBudget): JsonText | null {
  try {
    const input = renderStep(action, scope);
    budget.render(lengthOf(input));
    return new JsonText(boundedText(withoutSecrets(input)));
  } catch (error) {
    if (error instanceof RenderError) return null;
    throw error;
  }
}

/** All values that a step's placeholders could read. */
function scopeOf(
  { uuid, triggerUuid, triggerType }: Run,
  values: InputValues,
  waitUrl: (name: string) => string | undefined,
): RenderScope {
  const known = new Map<string, unknown>([
    ['trigger.type', triggerType],
    ['trigger.id', triggerUuid === null ? null : toPublicId('trg', triggerUuid)],
    ['run.id', toPublicId('run', uuid)],
  ]);
  return (path) => {
    if (path[0] === 'waits') return waitUrl(path[1]!);
    const name = path.join('.');
    return known.has(name) ? known.get(name) : values.at(path);
  };
}

/** Hides the values of headers, which may be credentials, and keeps their names. */
function withoutSecrets(input: Action['config']): Record<string, unknown> {
  const { headers } = input;
  if (typeof headers !== 'object' || headers === null) return { ...input };
  return { ...input, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])) };
}

function boundedText(input: Record<string, unknown>): string {
  if (lengthOf(input) <= MAX_BYTES) return JSON.stringify(input);
  const short = Object.entries(input).filter(([, value]) => jsonOf(value).length <= MAX_BYTES / 16);
  return JSON.stringify({ ...Object.fromEntries(short), truncated: true });
}

/** The length of a config as JSON, whose large values are not written again. */
function lengthOf(input: Readonly<Record<string, unknown>>): number {
  const names = JSON.stringify(Object.keys(input)).length;
  return Object.values(input).reduce((sum: number, value) => sum + jsonOf(value).length + 1, names);
}
