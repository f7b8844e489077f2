import { Args, Authorized, Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { isAllowed } from '../../../platform/graphql/access.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { Json } from '../../../platform/graphql/scalars.js';
import { type JsonText, jsonText } from '../../../platform/json/json-text.js';
import { validateInput } from '../../../platform/validation.js';
import { type EventSubscriptions } from './event-subscriptions.js';
import { LoggedEvent } from './event.entity.js';
import { FollowedEvents, ListedEvents, RecentEvents } from './event.inputs.js';
import { type EventService } from './event.service.js';

/** The log of events. */
@Resolver(() => LoggedEvent)
export class EventResolver {
  constructor(
    private readonly service: EventService,
    private readonly subscriptions: EventSubscriptions,
  ) {}

  @Authorized('read')
  @Query(() => [LoggedEvent], {
    description:
      'Reads the log of events, oldest first: everything that webhooks can receive, of the last 30 days. The next part begins `after` the last event of this one; none is missing between the two. A part has fewer events than `limit` if their data exceeds 4 MB.',
  })
  events(@Ctx() context: RequestContext, @Args(() => ListedEvents) args: ListedEvents): Promise<LoggedEvent[]> {
    return this.service.list(context, args);
  }

  @Authorized('read')
  @Query(() => [LoggedEvent], {
    description:
      'Reads the log of events, newest first, e.g. to show it. The next part is `before` the last event of this one.',
  })
  recentEvents(@Ctx() context: RequestContext, @Args(() => RecentEvents) args: RecentEvents): Promise<LoggedEvent[]> {
    return this.service.recent(context, args);
  }

  @Authorized('read')
  @Subscription(() => LoggedEvent, {
    description:
      'Every new event of the account, or with `after` every event behind that one. Each once and in order. A client that must miss none always gives `after`; `evt_00000000000000000000000000` stands before all.',
    subscribe: ({ args, context, info }) =>
      instanceOf(info.schema, EventResolver).source(context as RequestContext, args as FollowedEvents),
  })
  eventOccurred(
    @Root() event: LoggedEvent,
    // `source` has validated them: not again with each event.
    @Args(() => FollowedEvents, { validateFn: () => undefined }) _: FollowedEvents,
  ): LoggedEvent {
    return event;
  }

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      'The object that the event is about, as REST shows it. A read-only key sees no `url` and `connect_url` of waits. Null once the event was deleted.',
  })
  async data(@Root() { uuid }: LoggedEvent, @Ctx() context: RequestContext): Promise<JsonText | null> {
    const withUrls = isAllowed(context.caller, 'write');
    const text = await context.batch(this, uuid, (uuids) => this.service.dataOf(context, uuids, withUrls), {
      cache: false,
    });
    return jsonText(text);
  }

  source(context: RequestContext, wanted: FollowedEvents): Promise<AsyncIterable<LoggedEvent>> {
    // TypeGraphQL validates the arguments of a subscription with its events only.
    validateInput(Object.assign(new FollowedEvents(), wanted));
    return this.subscriptions.follow(context, wanted);
  }
}
