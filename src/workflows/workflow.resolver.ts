import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../context.js';
import { type Page } from '../db/pagination.js';
import { CreateWorkflowInput, ListWorkflowsArgs, UpdateWorkflowInput } from './workflow.inputs.js';
import { Workflow, WorkflowPage } from './workflow.entity.js';
import { type WorkflowService } from './workflow.service.js';

@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(private readonly service: WorkflowService) {}

  @Authorized('read')
  @Query(() => WorkflowPage, { description: "The account's workflows, newest first." })
  workflows(
    @Ctx() context: RequestContext,
    @Args(() => ListWorkflowsArgs) args: ListWorkflowsArgs,
  ): Promise<Page<Workflow>> {
    return this.service.list(context, args);
  }

  @Authorized('read')
  @Query(() => Workflow, { description: 'One workflow.' })
  workflow(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Workflow> {
    return this.service.get(context, id);
  }

  @Authorized('write')
  @Mutation(() => Workflow, { description: 'Makes a workflow, without triggers and actions.' })
  createWorkflow(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateWorkflowInput) input: CreateWorkflowInput,
  ): Promise<Workflow> {
    return this.service.create(context, input);
  }

  @Authorized('write')
  @Mutation(() => Workflow, { description: 'Changes the fields that are present.' })
  updateWorkflow(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWorkflowInput) input: UpdateWorkflowInput,
  ): Promise<Workflow> {
    return this.service.update(context, id, input);
  }

  @Authorized('write')
  @Mutation(() => ID, { description: 'Deletes a workflow and all its triggers for good.' })
  deleteWorkflow(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.delete(context, id);
  }
}
