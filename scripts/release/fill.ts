import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response of REST that a later version must give, too. */
export interface Read {
  path: string;
  body: unknown;
}

/** The fields of responses that are used here. */
interface Reply {
  id: string;
  webhook_url: string;
  run_id: string;
  data: unknown[];
}

type Api = (path: string, body?: unknown, method?: string) => Promise<Reply>;

/**
 * Fills an empty service with something of each kind, so that nothing is under way at the end. @returns what it then reads.
 */
export async function fill(baseUrl: string, key: string): Promise<Read[]> {
  const api: Api = async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(path.startsWith('http') ? path : `${baseUrl}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Reply;
  };
  const target = await receiver();
  try {
    return await fillWith(api, `http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  } finally {
    target.close();
    target.closeAllConnections();
  }
}

async function fillWith(api: Api, target: string): Promise<Read[]> {
  const webhook = await api('/webhooks', { url: `${target}/events`, events: ['run.succeeded', 'run.failed'] });
  const integration = await api('/integrations/connect', {
    type: 'sandbox_api_key',
    credentials: { api_key: 'sandbox_valid_key' },
    reference: 'user-42',
  });
  const gone = await api('/integrations/connect', {
    type: 'sandbox_api_key',
    credentials: { api_key: 'sandbox_valid_key' },
  });
  await api(`/integrations/${gone.id}/disconnect`, {});
  const workflow = await api('/workflows', { name: 'Orders “ü”', description: 'With a text.', status: 'active' });
  await api(`/workflows/${workflow.id}/actions`, { actions: actionsOf(target, integration.id) }, 'PUT');
  const hook = await api('/triggers', {
    workflow_id: workflow.id,
    type: 'webhook',
    config: { secret: 'a-shared-secret-of-a-hook' },
  });
  const plain = await api('/triggers', { workflow_id: workflow.id, type: 'webhook', name: 'Plain' });
  await api('/triggers', { workflow_id: workflow.id, type: 'manual' });
  const paused = await api('/workflows', { name: 'Nightly', status: 'draft' });
  await api('/triggers', {
    workflow_id: paused.id,
    type: 'schedule',
    config: { cron: '0 3 * * *', timezone: 'Europe/Zurich' },
  });
  await api('/triggers', {
    workflow_id: paused.id,
    type: 'app_event',
    config: { integration_id: integration.id, event: 'contact.created' },
  }).catch(() => undefined);
  const waiting = await api('/workflows', { name: 'Asks', status: 'active' });
  await api(
    `/workflows/${waiting.id}/actions`,
    { actions: [{ name: 'ok', kind: 'wait_for_approval', config: { title: 'Refund?' } }] },
    'PUT',
  );
  await api('/triggers', { workflow_id: waiting.id, type: 'manual' });
  const runs: string[] = [];
  for (const total of [250, 50, -1]) {
    const { run_id: id } = await api(plain.webhook_url, { order: { total }, long: 'x'.repeat(2_000) });
    runs.push(id, (await api(`/workflows/${workflow.id}/runs`, { input: { order: { total } } })).id);
  }
  for (const id of runs) await api(`/runs/${id}?wait=30`);
  const { id: asks } = await api(`/workflows/${waiting.id}/runs`, { input: {} });
  const waits = `/waits?run_id=${asks}`;
  for (let wait: unknown[] = []; wait.length === 0; await sleep(200)) wait = (await api(waits)).data;
  const deliveries = `/webhooks/${webhook.id}/deliveries`;
  for (let open: unknown[] = [1]; open.length > 0; await sleep(200))
    open = (await api(`${deliveries}?status=pending`)).data;
  const paths = [
    '/workflows',
    `/workflows/${workflow.id}`,
    `/workflows/${workflow.id}/actions`,
    '/triggers',
    `/triggers/${hook.id}`,
    '/integrations',
    `/integrations/${integration.id}/history`,
    '/runs?per_page=100',
    ...[...runs, asks].map((id) => `/runs/${id}`),
    waits,
    '/webhooks',
    deliveries,
  ];
  const reads: Read[] = [];
  for (const path of paths) reads.push({ path, body: await api(path) });
  return reads;
}

function actionsOf(target: string, integrationId: string): object[] {
  const call = {
    integration_id: integrationId,
    method: 'POST',
    path: '/api/contacts',
    body: { order: '{{ trigger.body.order }}' },
  };
  return [
    {
      name: 'big',
      kind: 'condition',
      config: { path: 'trigger.body.order.total', operator: 'greater_than', value: 100 },
    },
    { name: 'contact', kind: 'app_request', config: call },
    {
      name: 'tell',
      kind: 'http_request',
      config: { url: `${target}/told`, method: 'POST', body: { id: '{{ steps.contact.body.id }}' } },
    },
  ];
}

async function receiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
