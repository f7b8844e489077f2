import { type AccountMail } from '../accounts/account-mail.js';
import { type DeriveUrls } from './event-urls.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneDeliveriesJob } from './deliveries/deliveries-prune.job.js';
import { DeliveryConnectionResolver } from './deliveries/delivery.connection.js';
import { DeliveryResolver } from './deliveries/delivery.resolver.js';
import { DeliveryService } from './deliveries/delivery.service.js';
import { redeliverJob } from './redelivery/redeliver.job.js';
import { RedeliveryResolver } from './redelivery/redelivery.resolver.js';
import { RedeliveryService } from './redelivery/redelivery.service.js';
import { backlogsJob } from './sending/backlogs.job.js';
import { WebhookSender } from './sending/webhook-sender.js';
import { webhookMetrics } from './webhook.metrics.js';
import { nodesOf } from '../../platform/graphql/nodes.js';
import { WebhookConnectionResolver } from './webhook.connection.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { Webhook } from './webhook.entity.js';
import { WebhookResolver } from './webhook.resolver.js';
import { WebhookService } from './webhook.service.js';

/** Wires webhooks. They send the events that other features record in their own transactions (`record-events.ts`). */
export function wireWebhooks(platform: Platform, { mail, urls }: { mail: AccountMail; urls: DeriveUrls }): Feature {
  const { db, clock, secrets, outbound, longWork, stored, logger, tracing } = platform;
  const webhooks = new WebhookService(db, clock, secrets, outbound);
  const deliveries = new DeliveryService(db, clock, urls);
  const timeoutMs = 15_000;
  const sending = { db, clock, secrets, outbound, longWork, mail, logger, urls, stored, tracing, timeoutMs };
  const sender = new WebhookSender(sending);
  return {
    resolvers: [
      new WebhookResolver(webhooks, deliveries),
      new DeliveryResolver(deliveries),
      new RedeliveryResolver(new RedeliveryService(db, clock)),
      new WebhookConnectionResolver((context, _, span) => webhooks.list(context, span)),
      new DeliveryConnectionResolver((context, filter, span, { counts }) =>
        deliveries.list(context, filter, span, counts),
      ),
    ],
    nodes: [
      nodesOf(db, { table: 'webhooks', entity: Webhook }),
      nodesOf(db, { table: 'webhook_deliveries', entity: WebhookDelivery }),
    ],
    jobs: [pruneDeliveriesJob(db, clock), redeliverJob(db, clock, logger), backlogsJob({ db, clock, mail })],
    workers: [sender],
    metrics: webhookMetrics(db, clock, sender),
  };
}
