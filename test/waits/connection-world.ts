import { type Client } from '../support/http/client.js';
import { noteSecret } from '../support/database/secrets.js';
import { type Received, RunWorld, type RunWorldOptions } from '../support/worlds/run-world.js';
import { appsOf } from '../integrations/world.js';

/** The types of two applications that take any API key; their API is the target of the world. */
export const KEY_TYPES = ['shop', 'desk'] as const;

const keyApp = (type: string, baseUrl: string, targetUrl: string, more: object = {}) => ({
  type,
  name: `The ${type}`,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: `${baseUrl}/livez`, ok: [200] },
  },
  api_base_url: targetUrl,
  ...more,
});

/** A world with the two applications, and one that needs a parameter, beside the sandbox. */
export function openConnectionWorld(options: Omit<RunWorldOptions, 'apps'> = {}): Promise<RunWorld> {
  return RunWorld.open({
    ...options,
    apps: (baseUrl, targetUrl) =>
      appsOf([
        ...KEY_TYPES.map((type) => keyApp(type, baseUrl, targetUrl)),
        keyApp('tenant', baseUrl, targetUrl, {
          parameters: { company: { description: 'Your company', pattern: '^[a-z]{1,9}$' } },
        }),
      ]),
  });
}

/** The connection of an end user to the sandbox, in whose name a workflow acts. */
const CONNECTION = { type: 'sandbox_oauth', reference: '{{ trigger.body.user }}' };

/** An action that calls an application for an end user. */
export function appRequest(config: object = {}, name = 'read'): object {
  return { name, kind: 'app_request', config: { connection: CONNECTION, method: 'GET', path: '/me', ...config } };
}

/** An action that waits for the connection of an end user. */
export function awaitConnection(config: object = {}, name = 'access'): object {
  return { name, kind: 'wait_for_connection', config: { ...CONNECTION, ...config } };
}

/** Connects an application with an API key. @returns the integration's id. */
export async function connectKey(
  client: Client,
  { type = 'sandbox_api_key', key = 'sandbox_valid_key', ...more }: { type?: string; key?: string; reference?: string },
): Promise<string> {
  const body = { type, credentials: { api_key: noteSecret(key) }, ...more };
  const answer = await client.rest('POST', '/integrations/connect', { body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/** Acts as a person at the sandbox's consent page. @returns the URL of the callback, not visited yet. */
export async function decideAtSandbox(redirectUrl: string, choices: Record<string, string> = {}): Promise<string> {
  const consent = new URL(redirectUrl);
  const form = new URLSearchParams({ ...Object.fromEntries(consent.searchParams), decision: 'grant', ...choices });
  const decided = await fetch(consent.origin + consent.pathname, { method: 'POST', body: form, redirect: 'manual' });
  return decided.headers.get('location')!;
}

/** Connects the sandbox by OAuth. @returns the integration's id. */
export async function connectOAuth(
  client: Client,
  reference: string,
  choices: Record<string, string> = {},
): Promise<string> {
  const body = { type: 'sandbox_oauth', reference };
  const started = await client.rest('POST', '/integrations/connect', { body });
  await fetch(await decideAtSandbox(started.body.redirect_url, choices), { redirect: 'manual' });
  return started.body.integration_id;
}

/** The API key with which a request to an application was made. */
export function keyOf({ headers }: Received): string {
  return (headers.authorization ?? '').replace('Bearer ', '');
}
