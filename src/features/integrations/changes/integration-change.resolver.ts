import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Actor, actorOf } from '../../../platform/graphql/actor.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { Integration } from '../integration.entity.js';
import { IntegrationStatusChange } from './integration-change.entity.js';
import { type IntegrationLinks } from '../integration.links.js';
import { type IntegrationSubscriptions, type Wanted } from './integration-subscriptions.js';

type Changes = Promise<AsyncIterable<IntegrationStatusChange>>;

/** The subscription to status changes. */
@Resolver(() => IntegrationStatusChange)
export class IntegrationChangeResolver {
  constructor(
    private readonly subscriptions: IntegrationSubscriptions,
    private readonly links: IntegrationLinks,
  ) {}

  @Authorized('follow')
  @Subscription(() => IntegrationStatusChange, {
    description:
      'With `integrationId`: first its latest change, or each change after `afterVersion`; then every new change, until the integration is deleted. Without: every new change of the account, or every change after the change `after`. A connect session must name its own integration.',
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

  @FieldResolver(() => Integration, {
    description: 'The current state of the integration; for a deleted one, its last state.',
  })
  integration(@Ctx() context: RequestContext, @Root() change: IntegrationStatusChange): Promise<Integration> {
    return this.links.integrationOf(context, change);
  }

  /** Closed to connect sessions: their end users see no callers of the account. */
  @Authorized('read')
  @FieldResolver(() => Actor, {
    nullable: true,
    description: 'The user or API key that caused it. Null if an application, the service or a connect session did.',
  })
  actor(@Root() { actorId }: IntegrationStatusChange): Actor | null {
    return actorOf(actorId);
  }

  source(context: RequestContext, wanted: Wanted): Changes {
    return this.subscriptions.changes(context, wanted);
  }
}
