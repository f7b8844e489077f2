import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { Run } from './run.entity.js';
import { type RunService } from './run.service.js';

/** What a list of workflows shows of each one's runs, without counting them. */
@Resolver(() => Workflow)
export class LastRunResolver {
  constructor(private readonly runs: RunService) {}

  @FieldResolver(() => Run, { nullable: true, description: 'The newest of its runs; null while there is none.' })
  lastRun(@Root() workflow: Workflow, @Ctx() context: RequestContext): Promise<Run | null> {
    return context
      .loader<string, Run | null>(this, () => new DataLoader((uuids) => this.runs.lastOfWorkflows(context, uuids)))
      .load(workflow.uuid);
  }
}
