import { type Page, type WebSocketRoute } from 'playwright-core';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { appsOf } from '../../integrations/world.js';
import { Client } from '../../support/http/client.js';
import { type TestServer } from '../../support/server.js';

/** Applications beside the built-in ones: one with a parameter, one with regions, one that never responds. */
export function connectApps(baseUrl: string): readonly App[] {
  const auth = { kind: 'api_key', placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' } };
  const verify = { method: 'GET', url: `${baseUrl}/sandbox/me?of={shop}`, ok: [200] };
  const apps = [
    {
      type: 'shop',
      name: 'Shop',
      auth: { ...auth, verify },
      api_base_url: `${baseUrl}/sandbox`,
      parameters: { shop: { description: 'Your shop: acme of acme.shop.example', pattern: '[a-z]+' } },
    },
    {
      type: 'regional',
      name: 'Regional',
      auth: { ...auth, verify: { ...verify, url: `${baseUrl}/{region}/me` } },
      api_base_url: `${baseUrl}/sandbox`,
      // Only the second region is there.
      parameters: {
        region: { description: 'Your region', choices: { us: 'nowhere', eu: 'sandbox' }, default: 'us' },
      },
    },
    {
      type: 'silent',
      name: 'Silent',
      auth: { ...auth, verify: { ...verify, url: 'http://localhost:9/' } },
      api_base_url: 'http://localhost:9',
    },
  ];
  return appsOf(apps);
}

/**
 * The WebSocket between a page and the service, which can be cut and restored; HTTP goes on. To be made before the page
 * loads.
 */
export async function cuttable(page: Page): Promise<{ cut(): Promise<void>; restore(): void }> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket('**/graphql', async (socket) => {
    if (isCut) return socket.close({ code: 4900, reason: 'cut' });
    open.add(socket);
    socket.connectToServer();
  });
  return {
    cut: async () => {
      isCut = true;
      await Promise.all([...open].map((socket) => socket.close({ code: 4900, reason: 'cut' })));
      open.clear();
    },
    restore: () => void (isCut = false),
  };
}

const CONNECT = `mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) {
  ... on Integration { id } ... on IntegrationAuthorization { integrationId redirectUrl } } }`;

/** A client with a key of an account. */
export async function clientOf(server: TestServer, account: string): Promise<Client> {
  return new Client(server.baseUrl, await server.key('read-write', account));
}

/** Connects the sandbox's application by API key, for an account. @returns the integration's id. */
export async function connectKey(server: TestServer, account: string, label = 'Billing'): Promise<string> {
  const client = await clientOf(server, account);
  const input = { type: 'sandbox_api_key', label, credentials: { api_key: 'sandbox_valid_key' } };
  const { body } = await client.graphql(CONNECT, { input });
  return body.data.connectIntegration.id as string;
}

/** Asks to connect the sandbox's OAuth application, and answers there as its user. @returns the integration's id. */
export async function connectOAuth(
  server: TestServer,
  account: string,
  label = 'Support inbox',
  decision: 'grant' | 'deny' = 'grant',
): Promise<string> {
  const client = await clientOf(server, account);
  const { body } = await client.graphql(CONNECT, { input: { type: 'sandbox_oauth', label } });
  const { integrationId, redirectUrl } = body.data.connectIntegration as { integrationId: string; redirectUrl: string };
  await answerAtSandbox(redirectUrl, decision);
  return integrationId;
}

/** Answers the sandbox's question without a window, and lets the callback take it. */
export async function answerAtSandbox(redirectUrl: string, decision: 'grant' | 'deny', cookie = ''): Promise<void> {
  const { origin, pathname, searchParams } = new URL(redirectUrl);
  searchParams.set('decision', decision);
  const answer = await fetch(origin + pathname, { method: 'POST', body: searchParams, redirect: 'manual' });
  const landed = await fetch(answer.headers.get('location')!, { headers: { cookie } });
  if (!landed.ok) throw new Error(`The callback was answered ${landed.status}.`);
}
