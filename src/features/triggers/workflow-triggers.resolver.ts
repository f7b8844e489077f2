import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { BY_LINK } from '../../platform/db/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pagination.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { type Trigger, TriggerPage } from './trigger.entity.js';
import { type TriggerService } from './trigger.service.js';

/**
 * The link from workflows to their triggers. It is here because the GraphQL types of workflows do not depend on
 * triggers.
 */
@Resolver(() => Workflow)
export class WorkflowTriggersResolver {
  constructor(private readonly service: TriggerService) {}

  @FieldResolver(() => TriggerPage, { description: 'The triggers of the workflow, newest first.' })
  triggers(
    @Root() workflow: Workflow,
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) { page, perPage }: PageArgs,
  ): Promise<Page<Trigger>> {
    const key = { parent: workflow.uuid, page, perPage };
    return context.batch(this, key, (keys) => this.service.ofWorkflows(context, keys), BY_LINK);
  }
}
