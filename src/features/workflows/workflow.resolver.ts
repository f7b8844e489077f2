import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { EXPECTED_VERSION } from '../../platform/entity-tag.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { CreateWorkflowInput, UpdateWorkflowInput, WorkflowFilter } from './workflow.inputs.js';
import { Workflow, WorkflowPage } from './workflow.entity.js';
import { type WorkflowService } from './workflow.service.js';

@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(private readonly service: WorkflowService) {}

  @Authorized('read')
  @Query(() => WorkflowPage, {
    description:
      "Lists the account's workflows, newest first. Without `status` the list has workflows in every status, archived ones too.",
  })
  workflows(
    @Ctx() context: RequestContext,
    @Args(() => WorkflowFilter) filter: WorkflowFilter,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<Workflow>> {
    return this.service.list(context, filter, page);
  }

  @Authorized('read')
  @Query(() => Workflow, { description: 'Gets one workflow. Its status says whether its triggers start runs.' })
  workflow(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Workflow> {
    return this.service.get(context, id);
  }

  @Authorized('write')
  @Mutation(() => Workflow, {
    description:
      'Creates a workflow without triggers and actions. Its status is `DRAFT` unless the request says `ACTIVE`. It runs once it is active and a trigger of it fires.',
  })
  createWorkflow(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateWorkflowInput) input: CreateWorkflowInput,
  ): Promise<Workflow> {
    return this.service.create(context, input);
  }

  @Authorized('write')
  @Mutation(() => Workflow, {
    description:
      'Updates a workflow. Only the fields that are present change. `updatedAt` changes whenever a field is set, even to the same value.',
  })
  updateWorkflow(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWorkflowInput) input: UpdateWorkflowInput,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    return this.service.update(context, id, input, expectedVersion);
  }

  @Authorized('write')
  @Mutation(() => ID, {
    description:
      'Deletes a workflow and all its triggers permanently. Queued runs never start, and running ones stop after the current step. The runs stay readable for 30 days. Webhooks that are registered only for this workflow are deleted with it.',
  })
  deleteWorkflow(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<string> {
    return this.service.delete(context, id, expectedVersion);
  }
}
