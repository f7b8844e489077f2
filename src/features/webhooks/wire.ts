import { type AccountMail } from '../accounts/account-mail.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneDeliveriesJob } from './deliveries-prune.job.js';
import { DeliveryConnectionResolver } from './delivery.connection.js';
import { DeliveryResolver } from './delivery.resolver.js';
import { DeliveryService } from './delivery.service.js';
import { WebhookSender } from './sending/webhook-sender.js';
import { webhookMetrics } from './webhook.metrics.js';
import { nodesOf } from '../../platform/graphql/nodes.js';
import { WebhookConnectionResolver } from './webhook.connection.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { Webhook } from './webhook.entity.js';
import { WebhookResolver } from './webhook.resolver.js';
import { WebhookService } from './webhook.service.js';

/** Wires webhooks. They send the events that other features record in their own transactions (`record-events.ts`). */
export function wireWebhooks(platform: Platform, { mail }: { mail: AccountMail }): Feature {
  const { db, clock, secrets, outbound, logger } = platform;
  const webhooks = new WebhookService(db, clock, secrets, outbound);
  const deliveries = new DeliveryService(db, clock);
  const sender = new WebhookSender({ db, clock, secrets, outbound, mail, logger, timeoutMs: 15_000 });
  return {
    resolvers: [
      new WebhookResolver(webhooks, deliveries),
      new DeliveryResolver(deliveries),
      new WebhookConnectionResolver((context, _, span) => webhooks.list(context, span)),
      new DeliveryConnectionResolver((context, filter, span, { counts }) =>
        deliveries.list(context, filter, span, counts),
      ),
    ],
    nodes: [
      nodesOf(db, { table: 'webhooks', entity: Webhook }),
      nodesOf(db, { table: 'webhook_deliveries', entity: WebhookDelivery }),
    ],
    jobs: [pruneDeliveriesJob(db, clock)],
    workers: [sender],
    metrics: webhookMetrics(db, clock, sender),
  };
}
