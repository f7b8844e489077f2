import { Args, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { DuplicateWorkflowArgs } from './duplication.inputs.js';
import { type DuplicationService } from './duplication.service.js';

/** The mutation is here because triggers know workflows and actions, and not the other way round. */
@Resolver(() => Workflow)
export class DuplicationResolver {
  constructor(private readonly service: DuplicationService) {}

  @Authorized('write')
  @Mutation(() => Workflow, {
    description:
      'Copies a workflow with its actions and triggers. The copy is a draft without runs. Triggers keep their settings and status, and the secret of a webhook; each webhook gets a new URL.',
  })
  duplicateWorkflow(
    @Ctx() context: RequestContext,
    @Args(() => DuplicateWorkflowArgs) { id, name = null }: DuplicateWorkflowArgs,
  ): Promise<Workflow> {
    return this.service.duplicate(context, id, name);
  }
}
