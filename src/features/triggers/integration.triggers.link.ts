import { Args, Authorized, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { BY_LINK, linkKey } from '../../platform/db/pages/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { Integration } from '../integrations/integration.entity.js';
import { needsConfig } from './configs/trigger-columns.js';
import { type Trigger, TriggerPage } from './trigger.entity.js';
import { type TriggerService } from './trigger.service.js';

/** The link from an integration to its triggers. It is here because integrations do not depend on triggers. */
@Resolver(() => Integration)
export class IntegrationTriggersLink {
  constructor(private readonly service: TriggerService) {}

  // A connect session may read its integration, but not the rest of the account through it.
  @Authorized('read')
  @FieldResolver(() => TriggerPage, { description: 'The triggers that name this integration, newest first.' })
  triggers(
    @Root() integration: Integration,
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Trigger>> {
    const key = linkKey(integration.uuid, args, { prefix: 'trg', counts: countsItems(info) });
    const withConfigs = needsConfig(info, 'items');
    return context.batch(this, key, (keys) => this.service.ofIntegrations(context, keys, withConfigs), BY_LINK);
  }
}
