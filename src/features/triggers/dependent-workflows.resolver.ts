import DataLoader from 'dataloader';
import { Args, Authorized, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { linkCacheKey } from '../../platform/db/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pagination.js';
import { Integration } from '../integrations/integration.entity.js';
import { type Workflow, WorkflowPage } from '../workflows/workflow.entity.js';
import { type DependentsKey, type DependentWorkflows } from './dependent-workflows.js';

/** The link from an integration to who depends on it lives here, so that integrations know nothing of workflows. */
@Resolver(() => Integration)
export class DependentWorkflowsResolver {
  constructor(private readonly dependents: DependentWorkflows) {}

  // A connect session reaches its integration, and nothing of the account by way of it.
  @Authorized('read')
  @FieldResolver(() => WorkflowPage, {
    description:
      'The workflows that depend on it, newest first, without archived ones: by a trigger or an action that names it, or by a trigger for whose event no other connection is there.',
  })
  workflows(
    @Root() { uuid, type }: Integration,
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) { page, perPage }: PageArgs,
  ): Promise<Page<Workflow>> {
    return context
      .loader(
        this,
        () =>
          new DataLoader<DependentsKey, Page<Workflow>>((keys) => this.dependents.ofIntegrations(context, keys), {
            cacheKeyFn: linkCacheKey as never,
          }),
      )
      .load({ parent: uuid, type, page, perPage });
  }
}
