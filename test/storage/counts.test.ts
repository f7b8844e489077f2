import { RUN_BYTES, STEP_BYTES } from '../../src/features/runs/queue/run-bytes.js';
import { DELIVERY_BYTES, EVENT_BYTES } from '../../src/features/webhooks/record-events.js';
import { ATTEMPT_BYTES } from '../../src/features/webhooks/sending/webhook-sender.js';
import { WRITE_BYTES } from '../../src/platform/admission/daily/stored-bytes.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { type Client } from '../support/http/client.js';
import { noteSecret } from '../support/database/secrets.js';
import { until } from '../support/until.js';
import { fill, LIMIT, StorageWorld, workflowOf } from './storage-world.js';

/** What drains in a second: `Retry-After` tells what an account has stored to as many bytes. */
const A_SECOND = LIMIT / 86_400;
const TEXT = 'x'.repeat(10_000);

let world: StorageWorld;
let accounts = 0;
beforeAll(async () => {
  world = await StorageWorld.open();
  world.runs.reply = () => ({ body: TEXT });
});
afterAll(() => world.close());

/** A new account with a workflow. */
async function begin(actions: readonly object[] = []) {
  const client = await world.account(`counted ${(accounts += 1)}`);
  return { client, ...(await workflowOf(client, actions)) };
}

async function endOf(client: Client, run: string): Promise<any> {
  const { body } = await client.rest('GET', `/runs/${run}?wait=30`);
  return body.finished_at === null ? endOf(client, run) : body;
}

async function fire(client: Client, hook: string, input: unknown = null): Promise<string> {
  const { body } = await client.send('POST', hook, { body: JSON.stringify(input) });
  await endOf(client, body.run_id);
  return body.run_id;
}

/** The bytes that an account has stored, to those of a second, and those of its events. It is full afterwards. */
async function storedBy({ client, id, hook }: Awaited<ReturnType<typeof begin>>) {
  await fill(client, hook);
  await until(async () => {
    const open = await client.rest('GET', '/runs?per_page=100');
    return open.body.data.every((run: any) => run.finished_at !== null || run.status === 'waiting');
  });
  const { headers } = await client.rest('POST', '/workflows', { body: { name: 'x' } });
  const [row] = await world.runs.server.db.query<{ bytes: number }>(
    `SELECT sum(${EVENT_BYTES} + octet_length(body) + coalesce(octet_length(tail), 0))::integer AS bytes
     FROM (SELECT account_id, body, tail FROM events UNION ALL SELECT account_id, body, tail FROM event_arrivals) e
     WHERE account_id = (SELECT account_id FROM workflows WHERE id = $1)`,
    [fromPublicId('wf', id)],
  );
  return { all: Number(headers.get('retry-after')) * A_SECOND, events: row!.bytes };
}

/** The bytes of what `act` does without its events, beside an account that does nothing. */
async function bytesOf(act: (account: Awaited<ReturnType<typeof begin>>) => Promise<unknown>, actions?: object[]) {
  const [one, other] = [await begin(actions), await begin(actions)];
  await act(one);
  const [stored, besides] = [await storedBy(one), await storedBy(other)];
  return stored.all - besides.all - (stored.events - besides.events);
}

/** Node's headers of a post in these tests, and their query. */
async function requestOf(run: string): Promise<number> {
  const [row] = await world.runs.server.db.query<{ bytes: number }>(
    `SELECT octet_length(trigger_headers::text) + octet_length(trigger_query::text) AS bytes FROM runs
     ORDER BY id DESC LIMIT 1`,
  );
  expect(run).toMatch(/^run_/);
  return row!.bytes;
}

describe('what is stored counts', () => {
  it('as a run with its input and request', async () => {
    let request = 0;
    const bytes = await bytesOf(async ({ client, hook }) => {
      request = await requestOf(await fire(client, hook, TEXT));
    });
    expect(Math.abs(bytes - (RUN_BYTES + TEXT.length + 2 + request))).toBeLessThan(2 * A_SECOND);
  });

  it('as a step with its output', async () => {
    const call = [world.runs.call('counted')];
    let request = 0;
    let output = 0;
    const bytes = await bytesOf(async ({ client, hook }) => {
      const run = await fire(client, hook);
      request = await requestOf(run);
      output = JSON.stringify((await client.rest('GET', `/runs/${run}`)).body.steps[0].output).length;
    }, call);
    expect(output).toBeGreaterThan(TEXT.length);
    expect(Math.abs(bytes - (RUN_BYTES + 4 + request + STEP_BYTES + output))).toBeLessThan(2 * A_SECOND);
  });

  it('as a write with its body', async () => {
    // The length of a workflow's event is estimated.
    const body = { name: 'x', description: 'x'.repeat(1_000) };
    const bytes = await bytesOf(({ client }) => client.rest('POST', '/workflows', { body }));
    expect(Math.abs(bytes - (WRITE_BYTES + JSON.stringify(body).length))).toBeLessThan(100);
    const query = 'mutation { createWorkflow(input: { name: "x" }) { id } }';
    const overGraphql = await bytesOf(({ client }) => client.graphql(query));
    const length = JSON.stringify({ query, variables: {} }).length;
    expect(Math.abs(overGraphql - (WRITE_BYTES + length))).toBeLessThan(100);
  });

  it('as each mutation of a document, with a variable wherever one is used', async () => {
    const document = (fields: number) =>
      `mutation ($d: String!) { ${Array.from({ length: fields }, (_, n) => `m${n}: createWorkflow(input: { name: "x", description: $d }) { id }`).join(' ')} }`;
    const d = 'x'.repeat(1_000);
    const bytes = await bytesOf(({ client }) => client.graphql(document(10), { d }));
    const written = 10 * (WRITE_BYTES + d.length) + document(10).length;
    expect(bytes).toBeGreaterThan(written);
    expect(bytes).toBeLessThan(written + 2_000);
  });

  it('as a test run with its input, beside the write', async () => {
    const query = 'mutation ($id: ID!, $input: JSON) { testWorkflow(workflowId: $id, input: $input) { id } }';
    let length = 0;
    const bytes = await bytesOf(async ({ client, id }) => {
      const variables = { id, input: TEXT };
      length = JSON.stringify({ query, variables }).length;
      await endOf(client, (await client.graphql(query, variables)).body.data.testWorkflow.id);
    });
    expect(Math.abs(bytes - (WRITE_BYTES + length + RUN_BYTES + TEXT.length + 2))).toBeLessThan(2 * A_SECOND);
  });

  it('as a copy of a workflow with its actions and triggers, beside the write', async () => {
    const query = 'mutation ($id: ID!) { duplicateWorkflow(id: $id) { id } }';
    const secret = noteSecret('secret of a copy '.repeat(50));
    const copied = async (triggers: number, actions?: object[]) => {
      let writes = 0;
      const bytes = await bytesOf(async ({ client, id }) => {
        const body = { workflow_id: id, type: 'webhook', config: { secret } };
        for (let trigger = 0; trigger < triggers; trigger += 1) await client.rest('POST', '/triggers', { body });
        writes = triggers * (WRITE_BYTES + JSON.stringify(body).length);
        writes += WRITE_BYTES + JSON.stringify({ query, variables: { id } }).length;
        await client.graphql(query, { id });
      }, actions);
      return bytes - writes;
    };
    const ofActions = await copied(0, [world.runs.call('copied', { headers: { 'x-long': TEXT } })]);
    expect(ofActions).toBeGreaterThan(TEXT.length);
    expect(ofActions).toBeLessThan(2 * TEXT.length);
    const ofTriggers = await copied(5);
    expect(ofTriggers).toBeGreaterThan(5 * secret.length);
    expect(ofTriggers).toBeLessThan(10 * secret.length);
  });

  it('as a response that is kept for an Idempotency-Key, beside the write', async () => {
    const body = { name: 'x', description: 'x'.repeat(1_000) };
    const headers = { 'idempotency-key': 'one' };
    const bytes = await bytesOf(async ({ client }) => {
      for (let time = 0; time < 3; time += 1) await client.rest('POST', '/workflows', { body, headers });
    });
    const beside = bytes - WRITE_BYTES - JSON.stringify(body).length;
    expect(beside).toBeGreaterThan(1_000);
    expect(beside).toBeLessThan(3_000);
  });

  it('as an answer to a wait and as the output of its step', async () => {
    const actions = [{ name: 'paid', kind: 'wait_for_callback', config: {} }];
    let request = 0;
    const bytes = await bytesOf(async ({ client, hook }) => {
      const { body } = await client.send('POST', hook, { body: 'null' });
      request = await requestOf(body.run_id);
      const pending = async () => (await client.rest('GET', `/waits?run_id=${body.run_id}`)).body.data;
      await until(async () => (await pending()).length > 0);
      const [{ url }] = await pending();
      await client.send('POST', new URL(url).pathname, { body: JSON.stringify(TEXT) });
      await endOf(client, body.run_id);
    }, actions);
    const answer = JSON.stringify({ body: TEXT }).length;
    expect(Math.abs(bytes - (RUN_BYTES + 4 + request + STEP_BYTES + 2 * answer))).toBeLessThan(2 * A_SECOND);
  });

  it('as a retry with the steps that it carries over, beside the write', async () => {
    const actions = [
      { name: 'first', kind: 'condition', config: { path: 'trigger.type', operator: 'exists' } },
      world.runs.call('fails', { url: 'http://127.0.0.1:1' }),
    ];
    const fail = async ({ client, id }: Awaited<ReturnType<typeof begin>>) => {
      const run = await client.rest('POST', `/workflows/${id}/runs`, { body: { input: 'x'.repeat(1_500) } });
      await client.rest('POST', `/runs/${run.body.id}/cancel`);
      await endOf(client, run.body.id);
      return run.body.id as string;
    };
    const withManual = async (account: Awaited<ReturnType<typeof begin>>) => {
      await account.client.rest('POST', '/triggers', { body: { workflow_id: account.id, type: 'manual' } });
      return fail(account);
    };
    const once = await bytesOf(withManual, actions);
    const twice = await bytesOf(async (account) => {
      const { client } = account;
      const { body } = await client.rest('POST', `/runs/${await withManual(account)}/retry`, {
        body: { from: 'start' },
      });
      await client.rest('POST', `/runs/${body.id}/cancel`);
      await endOf(client, body.id);
    }, actions);
    const least = RUN_BYTES + 1_500 + 2 * WRITE_BYTES;
    expect(twice - once).toBeGreaterThan(least);
    expect(twice - once).toBeLessThan(least + 3_000);
  });

  it('as an attempt of a delivery with the response', async () => {
    const webhook = { url: `${world.runs.targetUrl}/webhook`, events: ['run.succeeded'] };
    const create = async (client: Client): Promise<string> =>
      (await client.rest('POST', '/webhooks', { body: webhook })).body.id;
    // Else the run that fills the account would have a delivery too.
    const remove = (client: Client, id: string) => client.rest('DELETE', `/webhooks/${id}`);
    const attempts = () => world.runs.received.filter(({ url }) => url === '/webhook').length;
    let request = 0;
    const created = await bytesOf(async ({ client }) => remove(client, await create(client)));
    const bytes = await bytesOf(async ({ client, hook }) => {
      const before = attempts();
      const id = await create(client);
      request = await requestOf(await fire(client, hook));
      await until(() => attempts() > before);
      const deliveries = async () => (await client.rest('GET', `/webhooks/${id}/deliveries`)).body.data;
      await until(async () => (await deliveries()).some(({ status }: { status: string }) => status === 'succeeded'));
      await remove(client, id);
    });
    const attempt = bytes - created - RUN_BYTES - 4 - request;
    expect(attempt).toBeGreaterThan(ATTEMPT_BYTES + DELIVERY_BYTES + EVENT_BYTES);
    expect(attempt).toBeLessThan(ATTEMPT_BYTES + DELIVERY_BYTES + EVENT_BYTES + TEXT.length);
  });
});
