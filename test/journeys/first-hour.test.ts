import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** What a new user does in the first hour, over REST with one listener. */
describe('the first hour of a new user', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it('connects the sandbox by key', async () => {
    const { status, body } = await client.rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } },
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^int_/),
        type: 'sandbox_api_key',
        name: 'sandbox_api_key',
        status: 'connected',
        connected_at: expect.any(String),
        expires_at: null,
      },
    ]);
  });

  it('hears `connected` when the user grants access in the sandbox', async () => {
    const started = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    expect(started.status).toBe(200);
    expect(Object.keys(started.body)).toEqual(['redirect_url', 'integration_id']);

    const ws = createClient({
      url: server.ws(),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${client.key}` },
    });
    const changes = ws.iterate<{ integrationStatusChanged: { status: string; version: number } }>({
      query: `subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) { status version reason integration { account { name } } } }`,
      variables: { id: started.body.integration_id },
    });
    const first = await changes.next();
    expect(first.value.data.integrationStatusChanged).toMatchObject({ status: 'PENDING', version: 1 });

    const consent = new URL(started.body.redirect_url as string);
    const form = new URLSearchParams(consent.search);
    form.set('decision', 'grant');
    const granted = await fetch(consent.origin + consent.pathname, { method: 'POST', body: form, redirect: 'manual' });
    const landed = await fetch(granted.headers.get('location')!);
    expect(landed.status).toBe(200);

    const second = await changes.next();
    expect(second.value.data.integrationStatusChanged).toMatchObject({
      status: 'CONNECTED',
      version: 2,
      reason: 'connected',
    });
    await ws.dispose();
  });

  it('posts to a webhook trigger and finds the run', async () => {
    const workflow = await client.rest('POST', '/workflows', { body: { name: 'Orders', status: 'active' } });
    const trigger = await client.rest('POST', '/triggers', {
      body: { workflow_id: workflow.body.id, type: 'webhook' },
    });
    expect(trigger.status).toBe(201);
    const posted = await fetch(trigger.body.webhook_url as string, { method: 'POST', body: '{"order":1}' });
    const accepted = (await posted.json()) as { accepted: boolean; run_id: string };
    expect([posted.status, accepted.accepted]).toEqual([202, true]);
    const run = await client.rest('GET', `/runs/${accepted.run_id}`);
    expect(['queued', 'running', 'succeeded']).toContain(run.body.status);
    expect(run.body).toMatchObject({ input: { order: 1 }, trigger_id: trigger.body.id });
    expect((await client.rest('GET', `/workflows/${workflow.body.id}`)).body.run_count).toBe(1);
  });
});
