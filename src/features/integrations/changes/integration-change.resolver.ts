import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { Integration } from '../integration.entity.js';
import { IntegrationStatusChange } from './integration-change.entity.js';
import { type IntegrationLinks } from '../integration.links.js';
import { type IntegrationSubscriptions, type Wanted } from './integration-subscriptions.js';

type Changes = Promise<AsyncIterable<IntegrationStatusChange>>;

@Resolver(() => IntegrationStatusChange)
export class IntegrationChangeResolver {
  constructor(
    private readonly subscriptions: IntegrationSubscriptions,
    private readonly links: IntegrationLinks,
  ) {}

  @Authorized('follow')
  @Subscription(() => IntegrationStatusChange, {
    description:
      'With `integrationId`: its latest change at once, or each after `afterVersion`; then every further one, until it is deleted. Without: every change of the account from now on, or from after the change `after`. A connect session names its own integration.',
    subscribe: ({ args, context, info }) =>
      instanceOf(info.schema, IntegrationChangeResolver).source(context as RequestContext, args as Wanted),
  })
  integrationStatusChanged(
    @Root() change: IntegrationStatusChange,
    @Arg('integrationId', () => ID, {
      nullable: true,
      description: 'Only the changes of this integration, with its latest one first.',
    })
    _integrationId?: string,
    @Arg('afterVersion', () => Int, {
      nullable: true,
      description: 'With `integrationId`: every change after this version, instead of the latest one.',
    })
    _afterVersion?: number,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Without `integrationId`: every change after the one with this id, at most 30 days old.',
    })
    _after?: string,
  ): IntegrationStatusChange {
    return change;
  }

  @FieldResolver(() => Integration, { description: 'The integration as it is now; a deleted one as it was left.' })
  integration(@Ctx() context: RequestContext, @Root() change: IntegrationStatusChange): Promise<Integration> {
    return this.links.integrationOf(context, change);
  }

  source(context: RequestContext, wanted: Wanted): Changes {
    return this.subscriptions.changes(context, wanted);
  }
}
