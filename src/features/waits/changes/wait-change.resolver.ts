import { Arg, Authorized, Ctx, FieldResolver, ID, Info, Resolver, Root, Subscription } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { type Selection } from '../../../platform/graphql/selected-fields.js';
import { answerPart } from '../wait-columns.js';
import { Wait } from '../wait.entity.js';
import { WaitKind } from '../wait-status.js';
import { type WaitService } from '../wait.service.js';
import { WaitChange } from './wait-change.entity.js';
import { type WaitSubscriptions, type WantedWaits } from './wait-subscriptions.js';

/** The subscription to changes of waits. */
@Resolver(() => WaitChange)
export class WaitChangeResolver {
  constructor(
    private readonly subscriptions: WaitSubscriptions,
    private readonly waits: WaitService,
  ) {}

  @Authorized('read')
  @Subscription(() => WaitChange, {
    description:
      'With `waitId`: the latest change of that wait at once, then its end, and the stream completes. Without: every new change of the account, or every change after the change `after`, of one run or kind if given. Each once and in order; none is lost.',
    subscribe: ({ args, context, info }) =>
      instanceOf(info.schema, WaitChangeResolver).source(context as RequestContext, args as WantedWaits),
  })
  waitChanged(
    @Root() change: WaitChange,
    @Arg('waitId', () => ID, {
      nullable: true,
      description: 'Only the changes of this wait, with its latest one first.',
    })
    _waitId?: string,
    @Arg('runId', () => ID, { nullable: true, description: 'Without `waitId`: only the waits of this run.' })
    _runId?: string,
    @Arg('kind', () => WaitKind, { nullable: true, description: 'Without `waitId`: only the waits of this kind.' })
    _kind?: WaitKind,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Without `waitId`: every change after the one with this id, at most 30 days old.',
    })
    _after?: string,
  ): WaitChange {
    return change;
  }

  @FieldResolver(() => Wait, { description: 'The wait as it is now.' })
  wait(@Ctx() context: RequestContext, @Root() { waitUuid }: WaitChange, @Info() info: Selection): Promise<Wait> {
    const part = answerPart('whole', info);
    return context.batch(this, waitUuid, (uuids) => this.waits.byUuid(context, uuids, part), { cache: false });
  }

  source(context: RequestContext, wanted: WantedWaits): Promise<AsyncIterable<WaitChange>> {
    return this.subscriptions.changes(context, wanted);
  }
}
