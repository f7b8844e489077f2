import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Json } from '../../../platform/graphql/scalars.js';
import { type ManualRuns } from './manual-run.js';
import { RetryFrom } from './retry-from.js';
import { type RunCancel } from './run-cancel.js';
import { type RunRetry } from './run-retry.js';
import { Run } from '../run.entity.js';
import { type TestRuns } from './test-run.js';

@Resolver(() => Run)
export class RunMutationsResolver {
  constructor(
    private readonly manual: ManualRuns,
    private readonly canceling: RunCancel,
    private readonly retrying: RunRetry,
    private readonly testing: TestRuns,
  ) {}

  @Authorized('write')
  @Mutation(() => Run, {
    description:
      'Runs a workflow by hand. It fires the newest active manual trigger of the workflow, which must be active.',
  })
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
      'Runs the current actions of a workflow as a test, without a trigger. The workflow may have any status but `ARCHIVED`. Requests and mails are really sent. The run is listed with `isTest: true`; `runCount` and `runStatistics` do not count it, and webhooks get no events of it.',
  })
  testWorkflow(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => ID) workflowId: string,
    @Arg('input', () => Json, { nullable: true, description: 'Becomes `trigger.body` of the actions.' })
    input: unknown,
    @Arg('triggerHeaders', () => Json, {
      nullable: true,
      description:
        'Becomes `trigger.headers` of the actions: an object of texts. At most 64 names and 16,384 bytes; names become lower case.',
    })
    headers: unknown,
    @Arg('triggerQuery', () => Json, {
      nullable: true,
      description: 'Becomes `trigger.query` of the actions: an object of texts or lists of texts.',
    })
    query: unknown,
  ): Promise<Run> {
    return this.testing.start(context, workflowId, { input, headers, query });
  }

  @Authorized('write')
  @Mutation(() => Run, {
    description:
      'Cancels a run. A queued or waiting run ends at once. A running one ends after the current step, whatever comes of that step, and is `running` until then. A run that has ended cannot be canceled.',
  })
  cancelRun(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Run> {
    return this.canceling.cancel(context, id);
  }

  @Authorized('write')
  @Mutation(() => Run, {
    description:
      'Retries an ended run as a new run with the same input and the current actions of the workflow. For a failed or canceled run, the leading succeeded steps whose actions are unchanged are copied and not executed again, unless `from` is `START`.',
  })
  retryRun(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('from', () => RetryFrom, {
      nullable: true,
      defaultValue: RetryFrom.FAILED_STEP,
      description: 'Where the new run begins.',
    })
    from: RetryFrom | null,
  ): Promise<Run> {
    return this.retrying.retry(context, id, from ?? RetryFrom.FAILED_STEP);
  }
}
