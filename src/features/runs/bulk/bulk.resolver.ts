import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { RetryFrom } from '../control/retry-from.js';
import { type BulkChange } from './bulk-change.entity.js';
import { BulkOperation } from './bulk-operation.entity.js';
import { type BulkRequests } from './bulk-requests.js';
import { type BulkService } from './bulk.service.js';
import { RunSelection } from '../run.inputs.js';
import { RetryRunsArgs } from './bulk.inputs.js';

/** Retries and cancelations of many runs. */
@Resolver(() => BulkOperation)
export class BulkResolver {
  constructor(
    private readonly requests: BulkRequests,
    private readonly service: BulkService,
  ) {}

  @Authorized('write')
  @Mutation(() => BulkOperation, {
    description:
      'Retries all runs that fit every given filter, at most 100,000, in the background. Newly fired runs go first. At least one filter is required. The runs that match now are retried once each, as `retryRun` does, except those with a retry under way. From the failed step, those whose retry has succeeded are left out, too.',
  })
  retryRuns(@Ctx() context: RequestContext, @Args(() => RetryRunsArgs) args: RetryRunsArgs): Promise<BulkOperation> {
    return this.requests.retry(context, args, args.from ?? RetryFrom.FAILED_STEP);
  }

  @Authorized('write')
  @Mutation(() => BulkOperation, {
    description:
      'Cancels all runs that have not ended and fit every given filter, at most 100,000, in the background. At least one filter is required. The runs that match now are canceled, as `cancelRun` does.',
  })
  cancelRuns(@Ctx() context: RequestContext, @Args(() => RunSelection) filter: RunSelection): Promise<BulkOperation> {
    return this.requests.cancel(context, filter);
  }

  @Authorized('write')
  @Mutation(() => BulkOperation, {
    description:
      'Cancels a bulk operation. The runs that are left stay as they are. One that has ended stays as it is.',
  })
  cancelBulkOperation(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<BulkOperation> {
    return this.service.cancel(context, id);
  }

  @Authorized('read')
  @Query(() => BulkOperation, { description: 'Gets one bulk operation. It is kept for 30 days.' })
  bulkOperation(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<BulkOperation> {
    return this.service.get(context, id);
  }

  @Authorized('read')
  @Subscription(() => BulkOperation, {
    description:
      'The latest state of a bulk operation at once, then its state after each batch of runs, each once and in order. The stream completes with the end of the operation.',
    subscribe: ({ args, context, info }) =>
      instanceOf(info.schema, BulkResolver).source(context as RequestContext, (args as { id: string }).id),
  })
  bulkChanged(@Root() change: BulkChange, @Arg('id', () => ID) _id: string): BulkOperation {
    return change.operation;
  }

  source(context: RequestContext, id: string): Promise<AsyncIterable<BulkChange>> {
    return this.service.changes(context, id);
  }
}
