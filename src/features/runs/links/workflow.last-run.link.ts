import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { Run } from '../run.entity.js';
import { type RunService } from '../run.service.js';

/** The newest run of each workflow in a list, without counting runs. */
@Resolver(() => Workflow)
export class WorkflowLastRunLink {
  constructor(private readonly runs: RunService) {}

  @FieldResolver(() => Run, { nullable: true, description: 'The newest run of the workflow; null without runs.' })
  lastRun(@Root() workflow: Workflow, @Ctx() context: RequestContext): Promise<Run | null> {
    return context.batch(this, workflow.uuid, (uuids) => this.runs.lastOfWorkflows(context, uuids));
  }
}
