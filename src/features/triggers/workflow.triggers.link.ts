import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { BY_LINK, linkKey } from '../../platform/db/pages/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { needsConfig } from './configs/trigger-columns.js';
import { type Trigger, TriggerPage } from './trigger.entity.js';
import { type TriggerService } from './trigger.service.js';

/**
 * The link from workflows to their triggers. It is here because the GraphQL types of workflows do not depend on
 * triggers.
 */
@Resolver(() => Workflow)
export class WorkflowTriggersLink {
  constructor(private readonly service: TriggerService) {}

  @FieldResolver(() => TriggerPage, { description: 'The triggers of the workflow, newest first.' })
  triggers(
    @Root() workflow: Workflow,
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Trigger>> {
    const key = linkKey(workflow.uuid, args, { prefix: 'trg', counts: countsItems(info) });
    const withConfigs = needsConfig(info, 'items');
    return context.batch(this, key, (keys) => this.service.ofWorkflows(context, keys, withConfigs), BY_LINK);
  }
}
