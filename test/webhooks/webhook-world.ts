import { AccountMail } from '../../src/features/accounts/account-mail.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { WebhookSender } from '../../src/features/webhooks/sending/webhook-sender.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.js';
import { until } from '../support/until.js';
import { Receiver } from './receiver.js';

/** The real service with its worker, and a receiver that webhooks are registered for. */
export class WebhookWorld {
  private readonly started: WebhookSender[] = [];

  private constructor(
    readonly server: TestServer,
    readonly client: Client,
    readonly receiver: Receiver,
  ) {}

  static async open(options: TestServerOptions = {}): Promise<WebhookWorld> {
    const receiver = await Receiver.open();
    const server = await startTestServer({ ...options, env: { ALLOW_PRIVATE_NETWORK: 'true', ...options.env } });
    return new WebhookWorld(server, new Client(server.baseUrl, await server.key()), receiver);
  }

  /** One that looks more often than the service's own, until the world ends. */
  startSender(): void {
    const sender = this.sender();
    this.started.push(sender);
    sender.start();
  }

  async close(): Promise<void> {
    this.receiver.close();
    await Promise.all(this.started.map((sender) => sender.stop()));
    await this.server.close();
  }

  /** Registers the receiver under a path of its own. @returns the answer's body, with the secret. */
  async webhook(path: string, events: readonly string[], more: object = {}): Promise<any> {
    const body = { url: this.receiver.url(path), events, ...more };
    const { status, body: webhook } = await this.client.rest('POST', '/webhooks', { body });
    if (status !== 201) throw new Error(JSON.stringify(webhook));
    return webhook;
  }

  async workflow(name = 'Flow'): Promise<any> {
    return (await this.client.rest('POST', '/workflows', { body: { name } })).body;
  }

  /** The log of a webhook, newest first. */
  async deliveries(id: string): Promise<any[]> {
    return (await this.client.rest('GET', `/webhooks/${id}/deliveries?per_page=100`)).body.data;
  }

  /** The newest delivery of a webhook, once this many attempts are saved. */
  async tried(id: string, attempts: number): Promise<any> {
    const settled = async (): Promise<boolean> => {
      const [delivery] = await this.server.db.query<{ attempts: number; claim: string | null }>(
        `SELECT attempts, claim FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1`,
        [fromPublicId('wh', id)],
      );
      return delivery !== undefined && delivery.attempts >= attempts && delivery.claim === null;
    };
    await until(settled);
    return (await this.deliveries(id))[0];
  }

  /** What the log keeps of the newest delivery beside what REST shows. */
  async answerOf(id: string): Promise<{ responseBody: string | null; error: string | null }> {
    const query = `query ($id: ID!) { webhook(id: $id) { deliveries(perPage: 1) { items { responseBody error } } } }`;
    return (await this.client.graphql(query, { id })).body.data.webhook.deliveries.items[0];
  }

  /** A sender of one more process, which gives up on a call after so long. */
  sender(timeoutMs = 15_000): WebhookSender {
    const { db, clock } = this.server;
    return new WebhookSender({
      db,
      clock,
      secrets: new Secrets([Buffer.alloc(32)]),
      outbound: createOutbound({ allowPrivateNetwork: true, userAgent: 'test' }),
      longWork: new LongWork(),
      mail: new AccountMail(new MailQueue(clock), 'operator@example.com'),
      logger: createLogger('silent'),
      urls: () => ({}),
      timeoutMs,
      pollMs: 20,
    });
  }
}
