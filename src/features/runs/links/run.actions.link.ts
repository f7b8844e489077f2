import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { type StoredAction } from '../../actions/lists/stored-actions.js';
import { MAX_ACTIONS } from '../../actions/validate-actions.js';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { Run } from '../run.entity.js';

/** The link from runs to the actions that they execute: those of the workflow may have changed since. */
@Resolver(() => Run)
export class RunActionsLink {
  constructor(private readonly service: Pick<ActionService, 'ofLists'>) {}

  @Costs({ items: MAX_ACTIONS })
  @FieldResolver(() => [Action], {
    nullable: true,
    description:
      'The actions that the run executes, as they were when it was created, with those that it has not reached. Null if they cannot be decrypted.',
  })
  async actions(@Root() { actionsId }: Run, @Ctx() context: RequestContext): Promise<StoredAction[] | null> {
    if (actionsId === null) return [];
    return context.batch(this, actionsId, (ids) => this.service.ofLists(context, ids));
  }
}
