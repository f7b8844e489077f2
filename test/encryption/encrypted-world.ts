import { createHmac } from 'node:crypto';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { IntegrationWorld } from '../integrations/world.js';
import { type Answer, Client } from '../support/http/client.js';
import { noteSecret } from '../support/database/secrets.js';
import { type TestServer } from '../support/server.js';

/** The key of `startTestServer`, and one that an operator made later. */
export const OLD_KEY = Buffer.alloc(32);
export const NEW_KEY = Buffer.alloc(32, 7);

/** The ids of one row for each kind of sealed text. */
export interface Things {
  workflow: string;
  hook: string;
  openHook: string;
  schedule: string;
  keyed: string;
  oauth: string;
  webhook: string;
  hookUrl: string;
  openHookUrl: string;
}

export const HOOK_SECRET = 'hook-secret-of-this-test-4471';
export const HEADER = 'Bearer header-of-this-test-8812';

/** Servers of one database, each with its own keys. Tests of the job itself run no jobs. */
export class EncryptedWorld {
  private readonly servers: TestServer[] = [];

  private constructor(readonly first: IntegrationWorld) {}

  /** The first server has the old key alone. */
  static async open(): Promise<EncryptedWorld> {
    noteSecret(HOOK_SECRET);
    noteSecret(HEADER);
    return new EncryptedWorld(await IntegrationWorld.open({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } }));
  }

  /** Starts a server with these keys, newest first, and a client. */
  async with(...keys: Buffer[]): Promise<Client> {
    const ring = keys.map((key) => key.toString('base64')).join(',');
    const server = await this.first.another({ ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true', ENCRYPTION_KEY: ring });
    this.servers.push(server);
    return new Client(server.ws('').replace(/^ws/, 'http'), this.first.client.key);
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.close();
    await this.first.close();
  }

  /** Creates one of each kind through a server. */
  async make(client: Client): Promise<Things> {
    const made = async (path: string, body: object) => expectOk(await client.rest('POST', path, { body }));
    const workflow = (await made('/workflows', { name: 'Sealed' })).id as string;
    const config = { url: 'https://target.example', method: 'GET', headers: { authorization: HEADER } };
    const actions = [{ name: 'call', kind: 'http_request', config }];
    expectOk(await client.rest('PUT', `/workflows/${workflow}/actions`, { body: { actions } }));
    expectOk(await client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'active' } }));
    const trigger = (type: string, config: object) => made('/triggers', { workflow_id: workflow, type, config });
    const hook = await trigger('webhook', { z: 1, secret: HOOK_SECRET, a: 2 });
    const openHook = await trigger('webhook', {});
    const schedule = await trigger('schedule', { cron: '0 9 * * 1' });
    const credentials = { api_key: noteSecret('good-1-key-of-this-test') };
    const keyed = await made('/integrations/connect', { type: 'key_app', credentials });
    const oauth = await this.first.connected();
    const webhook = await made('/webhooks', { url: 'http://127.0.0.1:9/', events: ['workflow.created'] });
    return {
      workflow,
      hook: hook.id,
      openHook: openHook.id,
      schedule: schedule.id,
      keyed: keyed.id,
      oauth,
      webhook: webhook.id,
      hookUrl: new URL(hook.webhook_url as string).pathname,
      openHookUrl: new URL(openHook.webhook_url as string).pathname,
    };
  }
}

/** Posts to an inbound hook, signed if a secret is given. */
export async function post(client: Client, path: string, secret?: string): Promise<{ status: number; body: any }> {
  const body = '{"n":1}';
  const signature = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const response = await fetch(client.baseUrl + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(signature && { 'x-signature-256': signature }) },
  });
  return { status: response.status, body: await response.json() };
}

/** The secrets of a ring. */
export function ring(...keys: Buffer[]): Secrets {
  return new Secrets(keys);
}

/** The uuid in any public id. */
export function uuidOf(id: string): string {
  return fromPublicId(id.split('_')[0] as 'wf', id)!;
}

function expectOk({ status, body }: Answer): Record<string, any> {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Record<string, any>;
}
