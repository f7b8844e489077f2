import { connect, type Socket } from 'node:net';
import { newUuid } from '../../src/platform/ids/ids.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const MB = 1_048_576;
const TRIGGERS = '/triggers?per_page=100';

describe('the response to a request', () => {
  let server: TestServer;
  let client: Client;
  let other: Client;
  let workflow: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    other = new Client(server.baseUrl, await server.key('read-only', 'another'));
    workflow = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
    for (let number = 0; number < 4; number += 1) {
      await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
    }
  });
  afterAll(() => server.close());

  /** Gives the triggers settings of this many characters in total. */
  async function fill(characters: number): Promise<void> {
    const sizes = [characters - 3 * Math.floor(characters / 4), ...Array<number>(3).fill(Math.floor(characters / 4))];
    await server.db.query(
      `WITH n AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM triggers)
       UPDATE triggers t SET config = ('{"text":"' || repeat('x', ($1::integer[])[n.place]) || '"}')::json FROM n WHERE n.id = t.id`,
      [sizes],
    );
  }

  async function bytesOf(path: string, body?: object): Promise<{ status: number; bytes: number; text: string }> {
    const response = await fetch(server.baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, bytes: Buffer.byteLength(text), text };
  }

  const doors = [
    ['REST', () => bytesOf(`/v1${TRIGGERS}`)],
    ['GraphQL', () => bytesOf('/graphql', { query: '{ triggers(perPage: 100) { items { id config } } }' })],
  ] as const;

  it.each(doors)('has at most 16 MB over %s, and names the fields to leave out beyond that', async (door, ask) => {
    await fill(4);
    const rest = (await ask()).bytes - 4;
    await fill(16 * MB - rest);
    expect(await ask()).toMatchObject({ status: 200, bytes: 16 * MB });
    await fill(16 * MB - rest + 1);
    const { status, text } = await ask();
    expect(status).toBe(400);
    const message = expect.stringMatching(/16 MB.*per_page.*`config`/) as unknown;
    expect(JSON.parse(text)).toEqual(
      door === 'REST'
        ? { code: 'answer_too_large', message }
        : { errors: [{ message, extensions: { code: 'ANSWER_TOO_LARGE', requestId: expect.any(String) } }] },
    );
    await until(async () => (await gauge(server, 'answer_bytes')) === 0);
  });

  it('is measured as serialized: escaped characters count more', async () => {
    await server.db.query(
      `UPDATE triggers SET config = ('{"text":"' || repeat('\\u0001', 1000000) || '"}')::json WHERE true`,
    );
    for (const [, ask] of doors)
      expect(await ask()).toMatchObject({ status: 400, text: expect.stringContaining('16 MB') });
    await server.db.query(`UPDATE triggers SET config = '{}'`);
    for (const [, ask] of doors) expect((await ask()).status).toBe(200);
  });

  it('has the same limit for many runs with many outputs', async () => {
    const account = (await server.db.query<{ id: string }>(`SELECT account_id AS id FROM workflows`))[0]!.id;
    const now = new Date();
    const ids = Array.from({ length: 100 }, () => newUuid(now));
    await server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, finished_at)
       SELECT id, $2, (SELECT id FROM workflows), 'manual', 'succeeded', $3, $3 FROM unnest($1::uuid[]) id`,
      [ids, account, now],
    );
    for (const id of ids) {
      await server.db.query(
        `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt, output)
         SELECT $1, n, $2, 's' || n, 'http_request', 'succeeded', 1, to_json(repeat('x', 15000)) FROM generate_series(0, 49) n`,
        [id, account],
      );
    }
    const runs = (count: number) => `runs(perPage: ${count}) { items { steps { output } } }`;
    const all = await client.graphql(`{ ${runs(100)} }`);
    expect([all.status, all.body]).toMatchObject([400, { errors: [{ extensions: { code: 'ANSWER_TOO_LARGE' } }] }]);
    const often = Array.from({ length: 10 }, (_, index) => `a${index}: ${runs(100)}`).join(' ');
    expect((await client.graphql(`{ ${often} }`)).status).toBe(400);
    const some = await client.graphql(`{ ${runs(20)} }`);
    expect(some.body.data.runs.items).toHaveLength(20);
    expect(some.body.data.runs.items[0].steps[49].output).toHaveLength(15_000);
    await until(async () => (await gauge(server, 'answer_bytes')) === 0);
  });

  it('says that a mutation may have been executed', async () => {
    await fill(17 * MB);
    const rename = `mutation { updateWorkflow(id: "${workflow}", input: { name: "done" }) { triggers(perPage: 100) { items { config } } } }`;
    const { status, body } = await client.graphql(rename);
    expect([status, body.errors![0].message]).toEqual([400, expect.stringContaining('may have been executed')]);
    expect((await client.rest('GET', `/workflows/${workflow}`)).body.name).toBe('done');
  });

  it('that is not read counts towards its own account, whose requests wait and are refused, and no other', async () => {
    await fill(15 * MB);
    const stalled = Array.from({ length: 4 }, () => stall(server, client.key!));
    // The others wait for these, and are refused after five seconds.
    await until(() => stalled.filter(({ bytesRead }) => bytesRead > 100_000).length >= 2);
    await until(async () => (await gauge(server, 'answer_bytes')) >= 30 * MB);
    expect((await other.rest('GET', TRIGGERS)).status).toBe(200);
    expect(await client.rest('GET', TRIGGERS)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    stalled.forEach((socket) => socket.destroy());
    await until(async () => (await gauge(server, 'answer_bytes')) === 0);
    expect((await client.rest('GET', TRIGGERS)).status).toBe(200);
  });
});

/** Sends a request, and reads only the beginning of the response. */
function stall(server: TestServer, key: string): Socket {
  const socket = connect(Number(new URL(server.baseUrl).port), 'localhost').on('error', () => undefined);
  socket.once('data', () => socket.pause());
  socket.write(`GET /v1${TRIGGERS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}
