import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { countsItems, type Selection } from '../../../platform/graphql/selected-fields.js';
import { RequestContext } from '../../../platform/context.js';
import { BY_LINK, linkKey } from '../../../platform/db/pages/linked-pages.js';
import { type Page } from '../../../platform/db/pages/pagination.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { inputPart } from '../run-columns.js';
import { type Run, RunPage } from '../run.entity.js';
import { WorkflowRunsArgs } from '../run.inputs.js';
import { type RunService } from '../run.service.js';

/** The link from workflows to their runs. It is here because workflows do not depend on runs. */
@Resolver(() => Workflow)
export class WorkflowRunsLink {
  constructor(private readonly service: RunService) {}

  @FieldResolver(() => RunPage, { description: 'Its runs, newest first.' })
  runs(
    @Root() workflow: Workflow,
    @Ctx() context: RequestContext,
    @Args(() => WorkflowRunsArgs) args: WorkflowRunsArgs,
    @Info() info: Selection,
  ): Promise<Page<Run>> {
    const input = inputPart('listed', info, 'items');
    const filters = { status: args.status };
    const key = linkKey(workflow.uuid, args, { prefix: 'run', counts: countsItems(info), filters });
    return context.batch(this, key, (keys) => this.service.ofWorkflows(context, keys, input), BY_LINK);
  }
}
