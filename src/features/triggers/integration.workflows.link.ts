import { Args, Authorized, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { BY_LINK, linkKey } from '../../platform/db/pages/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { Integration } from '../integrations/integration.entity.js';
import { type Workflow, WorkflowPage } from '../workflows/workflow.entity.js';
import { type DependentWorkflows } from './dependent-workflows.js';

/**
 * The link from an integration to the workflows that depend on it. It is here because integrations do not depend on
 * workflows.
 */
@Resolver(() => Integration)
export class IntegrationWorkflowsLink {
  constructor(private readonly dependents: DependentWorkflows) {}

  // A connect session may read its integration, but not the rest of the account through it.
  @Authorized('read')
  @FieldResolver(() => WorkflowPage, {
    description:
      'The workflows that depend on the integration, newest first, without archived ones. A workflow depends on it if a trigger or an action names it, or if a trigger waits for an event that no other connected integration offers.',
  })
  workflows(
    @Root() { uuid, type }: Integration,
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Workflow>> {
    const key = { ...linkKey(uuid, args, { prefix: 'wf', counts: countsItems(info) }), type };
    return context.batch(this, key, (keys) => this.dependents.ofIntegrations(context, keys), BY_LINK);
  }
}
