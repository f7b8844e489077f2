import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { UNREADABLE } from '../../platform/encryption/unreadable.js';
import { Costs } from '../../platform/graphql/field-cost.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { Action } from './action.entity.js';
import { ActionInput } from './action.inputs.js';
import { type ActionService } from './action.service.js';
import { type StoredAction } from './lists/stored-actions.js';
import { MAX_ACTIONS } from './validate-actions.js';

/** The weight of a list that is read and decrypted. */
const OF_LIST = 0.05;

/** `Workflow.actions`, and the mutation that replaces them. */
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
        'The `actionsVersion` that these actions are based on. If the actions have changed since, the mutation changes nothing and fails with `PRECONDITION_FAILED`. Without it, the actions are replaced in any case.',
    })
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    return this.service.set(context, workflowId, actions, expectedVersion);
  }

  @Costs({ items: MAX_ACTIONS })
  @FieldResolver(() => [Action], {
    description: 'The actions in order. Empty if they cannot be decrypted: see `actionsUnreadable`.',
  })
  async actions(@Root() workflow: Workflow, @Ctx() context: RequestContext): Promise<StoredAction[]> {
    return (await this.actionsOf(workflow, context)) ?? [];
  }

  @Costs({ each: OF_LIST })
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why `actions` is empty although the workflow has some.',
  })
  async actionsUnreadable(@Root() workflow: Workflow, @Ctx() context: RequestContext): Promise<string | null> {
    return (await this.actionsOf(workflow, context)) === null ? UNREADABLE : null;
  }

  private async actionsOf({ actionsId }: Workflow, context: RequestContext): Promise<StoredAction[] | null> {
    if (actionsId === null) return [];
    return context.batch(this, actionsId, (ids) => this.service.ofLists(context, ids));
  }
}
