import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Json } from '../../../platform/graphql/scalars.js';
import { type JsonText, jsonText } from '../../../platform/json/json-text.js';
import { type DeliveryService, type EventBody } from './delivery.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** The id with which `data` begins in every body. PostgreSQL puts spaces into the JSON that it builds. */
const SUBJECT = /"data" ?: ?\{"(?:id|webhook_id)" ?: ?"(\w+)"/;

/** What a delivery sends. */
@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  constructor(private readonly service: DeliveryService) {}

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      'The body that is sent. A read-only key sees no `url` and `connect_url` of waits. Null once the event was deleted; in lists also above 16 kB.',
  })
  async body(@Root() delivery: WebhookDelivery, @Ctx() context: RequestContext): Promise<JsonText | null> {
    return jsonText((await this.sentBy(delivery, context)).body);
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The id of what the event is about: a run, wait, workflow, trigger or integration; of a test the webhook. Null once the event was deleted.',
  })
  async subject(@Root() delivery: WebhookDelivery, @Ctx() context: RequestContext): Promise<string | null> {
    const { beginning } = await this.sentBy(delivery, context);
    return SUBJECT.exec(beginning ?? '')?.[1] ?? null;
  }

  private sentBy({ eventUuid }: WebhookDelivery, context: RequestContext): Promise<EventBody> {
    return context.batch(this, eventUuid, (uuids) => this.service.bodies(context, uuids));
  }
}
