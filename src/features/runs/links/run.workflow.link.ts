import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { type WorkflowService } from '../../workflows/workflow.service.js';
import { Run } from '../run.entity.js';

/** The link from runs to their workflow. Runs outlive a deleted workflow by 30 days. */
@Resolver(() => Run)
export class RunWorkflowLink {
  constructor(private readonly workflows: WorkflowService) {}

  @FieldResolver(() => Workflow, { nullable: true, description: 'Null once the workflow is deleted.' })
  async workflow(@Root() run: Run, @Ctx() context: RequestContext): Promise<Workflow | null> {
    const load = (uuids: readonly string[]) => this.workflows.byUuid(context, uuids);
    return (await context.batch(this, run.workflowUuid, load)) ?? null;
  }
}
