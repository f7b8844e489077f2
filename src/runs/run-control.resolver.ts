import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../context.js';
import { Json } from '../scalars.js';
import { type ManualRuns } from './manual-run.js';
import { type RunCancel } from './run-cancel.js';
import { type RunRetry } from './run-retry.js';
import { Run } from './run.entity.js';
import { type TestRuns } from './test-run.js';

@Resolver(() => Run)
export class RunControlResolver {
  constructor(
    private readonly manual: ManualRuns,
    private readonly canceling: RunCancel,
    private readonly retrying: RunRetry,
    private readonly testing: TestRuns,
  ) {}

  @Authorized('write')
  @Mutation(() => Run, { description: 'Fires the newest active manual trigger of an active workflow.' })
  runWorkflow(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => ID) workflowId: string,
    @Arg('input', () => Json, { nullable: true, description: 'Becomes `trigger.body` of the actions.' })
    input: unknown,
  ): Promise<Run> {
    return this.manual.start(context, workflowId, input);
  }

  @Authorized('write')
  @Mutation(() => Run, {
    description:
      'Tries out the present actions of a workflow in any status but `ARCHIVED`, without a trigger: for real, so that requests and mails are sent. The run is among the others with `isTest`; `runCount` and `runStatistics` leave it out, and no webhook hears of it.',
  })
  testWorkflow(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => ID) workflowId: string,
    @Arg('input', () => Json, { nullable: true, description: 'Becomes `trigger.body` of the actions.' })
    input: unknown,
  ): Promise<Run> {
    return this.testing.start(context, workflowId, input);
  }

  @Authorized('write')
  @Mutation(() => Run, {
    description: 'Ends a run before its time: at once when it is queued or waits, else after the step under way.',
  })
  cancelRun(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Run> {
    return this.canceling.cancel(context, id);
  }

  @Authorized('write')
  @Mutation(() => Run, {
    description:
      'Runs an ended run again, as a new run with the old input and the present actions. Of a failed or canceled one, leading steps that succeeded and whose actions are unchanged are carried over.',
  })
  retryRun(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Run> {
    return this.retrying.retry(context, id);
  }
}
