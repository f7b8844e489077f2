import DataLoader from 'dataloader';
import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../context.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { Action } from './action.entity.js';
import { ActionInput } from './action.inputs.js';
import { type ActionService } from './action.service.js';

@Resolver(() => Workflow)
export class ActionResolver {
  constructor(private readonly service: ActionService) {}

  @Authorized('write')
  @Mutation(() => Workflow, {
    description:
      'Replaces the actions of a workflow, at most 50. Runs that were created before keep the actions they have.',
  })
  setWorkflowActions(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => ID) workflowId: string,
    @Arg('actions', () => [ActionInput], { description: 'The whole list, in order.' }) actions: ActionInput[],
    @Arg('expectedVersion', () => String, {
      nullable: true,
      description:
        'The `actionsVersion` that these actions were made from. When others were set since, it sets nothing and answers `CONFLICT`; without it they replace whatever is there.',
    })
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    return this.service.set(context, workflowId, actions, expectedVersion);
  }

  @FieldResolver(() => [Action], { description: 'What it does, in order.' })
  actions(@Root() workflow: Workflow, @Ctx() context: RequestContext): Promise<Action[]> | Action[] {
    if (workflow.actionsId === null) return [];
    return context
      .loader(this, () => new DataLoader((ids: readonly string[]) => this.service.ofLists(context, ids)))
      .load(workflow.actionsId);
  }
}
