import { Client } from '../support/client.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.js';
import { until } from '../support/until.js';
import { Receiver } from './receiver.js';

/** The real service with its worker, and a receiver that webhooks are registered for. */
export class WebhookWorld {
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

  async close(): Promise<void> {
    this.receiver.close();
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

  /** The one delivery of a webhook once it has been tried so often. */
  async tried(id: string, attempts: number): Promise<any> {
    const isThere = ({ attempts: made, next_attempt_at: next, completed_at: end }: any): boolean =>
      made >= attempts && (end !== null || Date.parse(next) > this.server.clock.now().getTime() + 0 * made);
    await until(async () => (await this.deliveries(id)).some(isThere));
    return (await this.deliveries(id))[0];
  }
}
