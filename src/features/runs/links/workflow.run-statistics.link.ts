import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { bucketsOf } from '../statistics/bucket-edges.js';
import { RunStatistics, StatisticsArgs } from '../statistics/run-statistics.inputs.js';
import { type WorkflowStatistics } from '../statistics/workflow-statistics.js';

/** The runs of each workflow in a list over time. */
@Resolver(() => Workflow)
export class WorkflowRunStatisticsLink {
  constructor(private readonly statistics: WorkflowStatistics) {}

  @Costs({ items: bucketsOf, once: 9, each: 0.25 })
  @FieldResolver(() => RunStatistics, {
    nullable: true,
    description:
      'Its runs over time, counted as by the root field of this name. Null if the workflows of the list have more than 1,000,000 runs in the period.',
  })
  runStatistics(
    @Root() workflow: Workflow,
    @Ctx() context: RequestContext,
    @Args(() => StatisticsArgs) args: StatisticsArgs,
  ): Promise<RunStatistics | null> {
    return context.batch(this, { workflow: workflow.uuid, args }, (asked) => this.statistics.count(context, asked));
  }
}
