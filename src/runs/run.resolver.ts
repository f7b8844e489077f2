import DataLoader from 'dataloader';
import { Arg, Args, Authorized, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { type Asked, asksFor } from '../asked-fields.js';
import { RequestContext } from '../context.js';
import { type Page } from '../db/pagination.js';
import { Run, RunPage } from './run.entity.js';
import { GetRunArgs, ListRunsArgs } from './run.inputs.js';
import { type AskedSteps, type RunService } from './run.service.js';
import { type RunWaiting } from './run-waiting.js';
import { Step } from './step.entity.js';

@Resolver(() => Run)
export class RunResolver {
  constructor(
    private readonly service: RunService,
    private readonly waiting: RunWaiting,
  ) {}

  @Authorized('read')
  @Query(() => RunPage, { description: "The account's runs, newest first." })
  runs(
    @Ctx() context: RequestContext,
    @Args(() => ListRunsArgs) args: ListRunsArgs,
    @Info() info: Asked,
  ): Promise<Page<Run>> {
    return this.service.list(context, args, asksFor(info, 'meta'));
  }

  @Authorized('read')
  @Query(() => Run, { description: 'One run; with `wait` as soon as it has ended.' })
  run(@Ctx() context: RequestContext, @Args(() => GetRunArgs) args: GetRunArgs): Promise<Run> {
    return this.waiting.get(context, args);
  }

  @FieldResolver(() => [Step], { description: 'What was carried out so far, in the order of the actions.' })
  steps(
    @Root() run: Run,
    @Ctx() context: RequestContext,
    @Arg('index', () => Int, { nullable: true, description: 'Only the step at this place, where it has begun.' })
    index: number | null | undefined,
    @Info() info: Asked,
  ): Promise<Step[]> {
    return context
      .loader<AskedSteps, Step[]>(this, () => new DataLoader((asked) => this.service.stepsOf(context, asked)))
      .load({ run: run.uuid, index, withOutput: asksFor(info, 'output') });
  }
}
