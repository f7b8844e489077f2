import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => world.close());

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
  const { body } = await world.client.graphql(query, variables);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

describe('webhooks over GraphQL', () => {
  it('are made, shown without their secret, changed and deleted', async () => {
    const input = { url: world.receiver.url('/graphql'), events: ['run.failed'] };
    const { createWebhook: made } = await ask(
      `mutation ($input: CreateWebhookInput!) {
         createWebhook(input: $input) { secret webhook { id url events workflowId status statusReason secret } }
       }`,
      { input },
    );
    const { id } = made.webhook;
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.webhook).toEqual({
      id: expect.stringMatching(/^wh_/),
      ...input,
      workflowId: null,
      status: 'ENABLED',
      statusReason: null,
      secret: made.secret,
    });
    const { rotateWebhookSecret: rotated } = await ask(
      `mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret webhook { id } } }`,
      { id },
    );
    expect(rotated.webhook.id).toBe(id);
    expect(rotated.secret).not.toBe(made.secret);
    const { updateWebhook: updated } = await ask(
      `mutation ($id: ID!) { updateWebhook(id: $id, input: { status: DISABLED }) { status url secret } }`,
      { id },
    );
    expect(updated).toEqual({ status: 'DISABLED', url: input.url, secret: null });
    expect(await ask(`mutation ($id: ID!) { deleteWebhook(id: $id) }`, { id })).toEqual({ deleteWebhook: id });
  });

  it('have deliveries that cost no statement for each webhook', async () => {
    const query = `{ webhooks { items { id secret deliveries(perPage: 5) { items { id type status } meta { total } } } } }`;
    const counted = async (): Promise<[number, any[]]> => {
      const costs: number[] = [];
      let items: any[] = [];
      // The least of three, since once a second the key is looked up too.
      for (let time = 0; time < 3; time += 1) {
        const before = world.server.db.statements;
        items = (await ask(query)).webhooks.items;
        costs.push(world.server.db.statements - before);
      }
      return [Math.min(...costs), items];
    };
    await world.webhook('/1', ['workflow.created']);
    await world.workflow();
    const [few] = await counted();
    for (const path of ['/2', '/3', '/4']) await world.webhook(path, ['workflow.created']);
    await world.workflow();
    const [many, items] = await counted();
    expect(many).toBe(few);
    expect(items.map(({ secret, deliveries }) => [secret, deliveries.meta.total])).toEqual([
      [null, 1],
      [null, 1],
      [null, 1],
      [null, 2],
    ]);
  });

  it('have deliveries that are found by their status', async () => {
    const { id } = await world.webhook('/by-status', ['run.failed']);
    for (let made = 0; made < 3; made += 1) await world.client.rest('POST', `/webhooks/${id}/test`);
    await world.server.db.query(
      `UPDATE webhook_deliveries SET status = 'failed' WHERE id IN (SELECT id FROM webhook_deliveries ORDER BY id DESC LIMIT 1)`,
    );
    const of = (alias: string, status: string) =>
      `${alias}: deliveries(status: ${status}) { items { status } meta { total } }`;
    const { webhook } = await ask(
      `query ($id: ID!) { webhook(id: $id) { ${of('pending', 'PENDING')} ${of('failed', 'FAILED')} ${of('done', 'SUCCEEDED')} } }`,
      { id },
    );
    expect(webhook).toEqual({
      pending: { items: [{ status: 'PENDING' }, { status: 'PENDING' }], meta: { total: 2 } },
      failed: { items: [{ status: 'FAILED' }], meta: { total: 1 } },
      done: { items: [], meta: { total: 0 } },
    });
  });

  it('can be registered for each type of event', async () => {
    const { webhookEvents: events } = await ask('{ webhookEvents }');
    expect(events).toContain('run.failed');
    const input = { url: world.receiver.url('/all'), events };
    const { createWebhook: made } = await ask(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { events } } }',
      { input },
    );
    expect(made.webhook.events).toEqual(events);
  });

  it('name the event that is none by its place', async () => {
    const { body } = await world.client.graphql(
      `mutation { createWebhook(input: { url: "${world.receiver.url()}", events: ["run.failed", "run.ended"] }) { secret } }`,
    );
    expect(body.errors?.[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'events.1', message: expect.stringMatching(/^must be one of run\.succeeded, /) }],
    });
  });
});
