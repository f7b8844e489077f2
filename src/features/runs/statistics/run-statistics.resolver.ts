import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { RunStatistics, RunStatisticsArgs } from './run-statistics.inputs.js';
import { type RunStatisticsService, sumOf } from './run-statistics.js';

@Resolver()
export class RunStatisticsResolver {
  constructor(private readonly service: RunStatisticsService) {}

  @Authorized('read')
  @Query(() => RunStatistics, {
    description:
      "How many of the account's runs were made over time, by their present status; test runs are left out. Counts exactly: a time with more than 1,000,000 runs is refused.",
  })
  async runStatistics(
    @Ctx() context: RequestContext,
    @Args(() => RunStatisticsArgs) args: RunStatisticsArgs,
  ): Promise<RunStatistics> {
    const buckets = await this.service.count(context, args);
    return { sum: sumOf(buckets), buckets };
  }
}
