import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { EXPECTED_VERSION } from '../../platform/entity-tag.js';
import { BY_LINK, linkKey } from '../../platform/db/pages/linked-pages.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { type DeliveryService, filterTexts } from './deliveries/delivery.service.js';
import { CreatedWebhook, Webhook, WebhookPage } from './webhook.entity.js';
import { CreateWebhookInput, DeliveryFilter, UpdateWebhookInput } from './webhook.inputs.js';
import { WEBHOOK_EVENTS } from './webhook-event-type.js';
import { type WebhookService } from './webhook.service.js';
import { WebhookDelivery, WebhookDeliveryPage } from './deliveries/webhook-delivery.entity.js';

@Resolver(() => Webhook)
export class WebhookResolver {
  constructor(
    private readonly service: WebhookService,
    private readonly deliveryService: DeliveryService,
  ) {}

  @Authorized('read')
  @Query(() => WebhookPage, {
    description: "Lists the account's outbound webhooks, newest first. Their secrets are not in the list.",
  })
  webhooks(@Ctx() context: RequestContext, @Args(() => PageArgs) args: PageArgs): Promise<Page<Webhook>> {
    return this.service.list(context, args);
  }

  @Authorized('read')
  @Query(() => Webhook, {
    description: 'Gets one outbound webhook. Its secret is shown only when it is created or rotated.',
  })
  webhook(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Webhook> {
    return this.service.get(context, id);
  }

  @Authorized('read')
  @Query(() => WebhookDelivery, {
    description: 'Gets one delivery of a webhook. It shows what was sent, and how each attempt ended.',
  })
  webhookDelivery(
    @Ctx() context: RequestContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('id', () => ID) id: string,
  ): Promise<WebhookDelivery> {
    return this.deliveryService.get(context, webhookId, id);
  }

  @Authorized('read')
  @Query(() => [String], { description: 'The types of events that a webhook can be registered for.' })
  webhookEvents(): readonly string[] {
    return WEBHOOK_EVENTS;
  }

  @Authorized('write')
  @Mutation(() => CreatedWebhook, {
    description:
      'Registers a URL for events. Every delivery is signed by Standard Webhooks. The secret is shown only in this response, once.',
  })
  createWebhook(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateWebhookInput) input: CreateWebhookInput,
  ): Promise<CreatedWebhook> {
    return this.service.create(context, input);
  }

  @Authorized('write')
  @Mutation(() => Webhook, {
    description:
      'Updates a webhook. Only the fields that are present change. Nothing more is sent to a disabled webhook, and its pending deliveries end.',
  })
  updateWebhook(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWebhookInput) input: UpdateWebhookInput,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<Webhook> {
    return this.service.update(context, id, input, expectedVersion);
  }

  @Authorized('write')
  @Mutation(() => ID, { description: 'Deletes a webhook permanently. Nothing more is sent to it.' })
  deleteWebhook(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<string> {
    return this.service.delete(context, id, expectedVersion);
  }

  @Authorized('write')
  @Mutation(() => CreatedWebhook, {
    description:
      'Replaces the secret of a webhook. The new secret is shown only in this response, once. For 24 hours the old secret also signs; up to four old ones may at the same time.',
  })
  rotateWebhookSecret(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<CreatedWebhook> {
    return this.service.rotateSecret(context, id);
  }

  @Authorized('write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a `webhook.test` event to a webhook. It is sent once: a failure is not retried. REST returns only the id of the delivery: read it with `GET /webhooks/{id}/deliveries/{delivery_id}`.',
  })
  testWebhook(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<WebhookDelivery> {
    return this.deliveryService.test(context, id);
  }

  @Authorized('write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends the event of a delivery again. The result is a new delivery with its own attempts. REST returns only its id: read it with `GET /webhooks/{id}/deliveries/{delivery_id}`.',
  })
  redeliverWebhookDelivery(
    @Ctx() context: RequestContext,
    @Arg('webhookId', () => ID) webhookId: string,
    @Arg('deliveryId', () => ID) deliveryId: string,
  ): Promise<WebhookDelivery> {
    return this.deliveryService.redeliver(context, webhookId, deliveryId);
  }

  @FieldResolver(() => WebhookDeliveryPage, {
    description: 'The deliveries of the webhook, newest first. They are kept for 30 days.',
  })
  deliveries(
    @Root() webhook: Webhook,
    @Ctx() context: RequestContext,
    @Args(() => DeliveryFilter) filter: DeliveryFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<WebhookDelivery>> {
    const filters = filterTexts(filter);
    const key = linkKey(webhook.uuid, page, { prefix: 'dlv', counts: countsItems(info), filters });
    return context.batch(this, key, (keys) => this.deliveryService.ofWebhooks(context, keys), BY_LINK);
  }
}
