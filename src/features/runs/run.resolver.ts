import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { type GraphQLResolveInfo } from 'graphql';
import { countsItems, isInList, isSelected, type Selection } from '../../platform/graphql/selected-fields.js';
import { RequestContext } from '../../platform/context.js';
import { PageArgs } from '../../platform/db/pages/pagination.js';
import { jsonText, type JsonText } from '../../platform/json/json-text.js';
import { MAX_ACTIONS } from '../actions/validate-actions.js';
import { Costs } from '../../platform/graphql/field-cost.js';
import { Json } from '../../platform/graphql/scalars.js';
import { type Clock } from '../../platform/clock.js';
import { LATEST_CHANGE } from '../../platform/graphql/connections.js';
import { positionAt } from './feed/run-positions.js';
import { inputPart, outputPart } from './run-columns.js';
import { Run, RunPage } from './run.entity.js';
import { GetRunArgs, RunFilter } from './run.inputs.js';
import { type AskedSteps, type RunService } from './run.service.js';
import { type RunWaiting } from './feed/run-waiting.js';
import { Step } from './step.entity.js';

@Resolver(() => Run)
export class RunResolver {
  constructor(
    private readonly service: RunService,
    private readonly waiting: RunWaiting,
  ) {}

  @Authorized('read')
  @Query(() => RunPage, {
    description: "Lists the account's runs, newest first. A run must fit every filter that is given.",
  })
  async runs(
    @Ctx() context: RequestContext,
    @Args(() => RunFilter) filter: RunFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<RunPage> {
    const asked = { withTotal: countsItems(info), input: inputPart('listed', info, 'items') };
    const change = isSelected(info, 'latestChange') ? { latestChange: await this.service.latestChange() } : {};
    return { ...(await this.service.list(context, filter, page, asked)), ...change };
  }

  @Authorized('read')
  @Query(() => Run, {
    description: 'Gets one run. With `wait` the response is held until the run has ended, at most that many seconds.',
  })
  run(@Ctx() context: RequestContext, @Args(() => GetRunArgs) args: GetRunArgs, @Info() info: Selection): Promise<Run> {
    return this.waiting.get(context, args, inputPart('whole', info));
  }

  @FieldResolver(() => Json, { nullable: true, description: 'The input of the run: `trigger.body` in its actions.' })
  input(@Root() run: Run, @Ctx() context: RequestContext): JsonText | null | Promise<JsonText | null> {
    return this.service.withInput(context, run, ({ inputText }) => jsonText(inputText!));
  }

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      'The headers of the request to the inbound hook: `trigger.headers` in its actions. Names are in lower case. Null for a run that no such request fired; in lists also above 16 kB.',
  })
  triggerHeaders(@Root() run: Run, @Ctx() context: RequestContext): JsonText | null | Promise<JsonText | null> {
    return this.service.withInput(context, run, ({ triggerHeadersText }) => jsonText(triggerHeadersText!));
  }

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      'The query of the request to the inbound hook: `trigger.query` in its actions. A repeated name has a list of texts. Null as `triggerHeaders` is.',
  })
  triggerQuery(@Root() run: Run, @Ctx() context: RequestContext): JsonText | null | Promise<JsonText | null> {
    return this.service.withInput(context, run, ({ triggerQueryText }) => jsonText(triggerQueryText!));
  }

  @FieldResolver(() => Boolean, {
    description: '`input` is larger than 16 kB and therefore null in this list. `run` returns it.',
  })
  inputOmitted(@Root() run: Run, @Ctx() context: RequestContext): boolean | Promise<boolean> {
    return this.service.withInput(context, run, ({ inputText, hasInput = false }) => inputText === null && hasInput);
  }

  @Costs({ items: ({ index }) => (typeof index === 'number' ? 1 : MAX_ACTIONS) })
  @FieldResolver(() => [Step], { description: 'The steps so far, in the order of the actions.' })
  steps(
    @Root() run: Run,
    @Ctx() context: RequestContext,
    @Arg('index', () => Int, { nullable: true, description: 'Only the step with this index, if it has started.' })
    index: number | null | undefined,
    @Info() info: Selection & Pick<GraphQLResolveInfo, 'path'>,
  ): Promise<Step[]> {
    const isWhole = run.isSingle === true || (typeof index === 'number' && !isInList(info));
    const steps: AskedSteps = { run: run.uuid, index, output: outputPart(isWhole ? 'whole' : 'listed', info) };
    return context.batch(this, steps, (asked) => this.service.stepsOf(context, asked));
  }

  @FieldResolver(() => Step, {
    nullable: true,
    description: 'The step whose last attempt failed and that is tried again at `resumesAt`. Null if none is.',
  })
  async failingStep(@Root() run: Run, @Ctx() context: RequestContext): Promise<Step | null> {
    if (run.resumesAt === null) return null;
    const asked: AskedSteps = { run: run.uuid, output: 'none' };
    const steps = await context.batch(this, asked, (all) => this.service.stepsOf(context, all));
    return steps.find(({ error, finishedAt }) => error !== null && finishedAt === null) ?? null;
  }
}

@Resolver(() => RunPage)
export class RunPageResolver {
  constructor(private readonly clock: Clock) {}

  @FieldResolver(() => ID, { description: LATEST_CHANGE })
  latestChange(@Root() { latestChange }: RunPage): string {
    return latestChange ?? positionAt(this.clock.now());
  }
}
