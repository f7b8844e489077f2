import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { bucketsOf } from './bucket-edges.js';
import { RunStatistics, RunStatisticsArgs } from './run-statistics.inputs.js';
import { type RunStatisticsService, sumOf } from './run-statistics.js';

@Resolver()
export class RunStatisticsResolver {
  constructor(private readonly service: RunStatisticsService) {}

  @Authorized('read')
  @Costs({ items: bucketsOf, once: 9 })
  @Query(() => RunStatistics, {
    description:
      "Counts the account's runs over time, by creation time and current status, without test runs. Counts are exact: a period with more than 1,000,000 runs is refused.",
  })
  async runStatistics(
    @Ctx() context: RequestContext,
    @Args(() => RunStatisticsArgs) args: RunStatisticsArgs,
  ): Promise<RunStatistics> {
    const buckets = await this.service.count(context, args);
    return { sum: sumOf(buckets), buckets };
  }
}
