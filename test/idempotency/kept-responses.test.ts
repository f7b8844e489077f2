import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';

const MB = 1_048_576;
const CONNECT = `connectIntegration(input: { type: "sandbox_api_key", credentials: { api_key: "sandbox_valid_key" } }) { __typename }`;

describe('the response to a mutation with an Idempotency-Key', () => {
  let server: TestServer;
  let client: Client;
  let workflow: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    workflow = (await client.rest('POST', '/workflows', { body: { name: 'before' } })).body.id;
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
  });
  afterAll(() => server.close());

  const fill = (text: string, times: number) =>
    server.db.query(`UPDATE triggers SET config = ('{"text":"' || repeat($1, $2::integer) || '"}')::json`, [
      text,
      times,
    ]);
  const rename = (name: string) =>
    `updateWorkflow(id: "${workflow}", input: { name: "${name}" }) { triggers(perPage: 100) { items { config } } }`;
  const send = async (key: string, query: string) => {
    const response = await fetch(`${server.baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      bytes: Buffer.byteLength(text),
      replayed: response.headers.get('idempotent-replayed'),
    };
  };
  const nameNow = async () => (await client.rest('GET', `/workflows/${workflow}`)).body.name as string;
  const keptBytes = async () =>
    (await server.db.query<{ n: number }>('SELECT max(octet_length(answer)) AS n FROM idempotency_keys'))[0]!.n;

  it('has 2 MB at most: with one more byte nothing happens, and the key stays free', async () => {
    await fill('x', 0);
    const around = (await send('around', `mutation { ${rename('around')} }`)).bytes;
    await fill('x', 2 * MB - around);
    const full = await send('full', `mutation { ${rename('full')} }`);
    expect([full.status, full.bytes, full.replayed]).toEqual([200, 2 * MB, null]);
    // Sealed once: base64url takes a third more.
    expect(await keptBytes()).toBeLessThan(1.34 * 2 * MB);
    const again = await send('full', `mutation { ${rename('full')} }`);
    expect([again.status, again.text === full.text, again.replayed]).toEqual([200, true, 'true']);

    await fill('x', 2 * MB - around + 1);
    for (let time = 0; time < 2; time += 1) {
      const { status, text, replayed } = await send('beyond', `mutation { ${rename('lost')} }`);
      expect([status, replayed, await nameNow()]).toEqual([400, null, 'full']);
      expect(JSON.parse(text).errors).toEqual([
        {
          message: expect.stringMatching(
            /2 MB, the limit with an Idempotency-Key\..*`config`.* Nothing has changed\.$/,
          ),
          extensions: { code: 'ANSWER_TOO_LARGE', requestId: expect.any(String) },
        },
      ]);
    }
    await fill('x', 1);
    expect(await send('beyond', `mutation { ${rename('found')} }`)).toMatchObject({ status: 200, replayed: null });
    expect(await nameNow()).toBe('found');
    expect((await client.graphql(`mutation { ${rename('without a key')} }`)).status).toBe(200);
  });

  it('is measured in bytes', async () => {
    await fill('é', MB);
    const { status, text } = await send('bytes', `mutation { ${rename('bytes')} }`);
    expect([status, text]).toEqual([400, expect.stringContaining('Nothing has changed.')]);
    expect(await nameNow()).not.toBe('bytes');
  });

  it('may be larger if an application was called: a repetition calls no more, and learns that it took effect', async () => {
    await fill('x', 3 * MB);
    const total = async () => (await client.rest('GET', '/integrations')).body.meta.total as number;
    const query = `mutation { a: ${CONNECT} b: ${rename('called')} }`;
    const before = await total();
    const first = await send('calls', query);
    expect([first.status, JSON.parse(first.text).errors, first.bytes > 3 * MB]).toEqual([200, undefined, true]);
    expect([await total(), await nameNow()]).toEqual([before + 1, 'called']);
    for (let time = 0; time < 2; time += 1) {
      const again = await send('calls', query);
      expect([again.status, again.replayed]).toEqual([409, 'true']);
      expect(JSON.parse(again.text).errors[0]).toMatchObject({
        message: expect.stringContaining('took effect'),
        extensions: { code: 'CONFLICT' },
      });
    }
    expect(await total()).toBe(before + 1);
    expect((await send('calls', `${query} `)).status).toBe(422);
    const behind = await send('behind', `mutation { b: ${rename('lost')} a: ${CONNECT} }`);
    expect([behind.status, await nameNow()]).toEqual([400, 'called']);
  });

  it('is replayed if an earlier version kept it, up to 16 MB', async () => {
    await fill('x', 1);
    const query = `mutation { ${rename('old')} }`;
    const { text } = await send('old', query);
    const secrets = new Secrets([Buffer.alloc(32)]);
    const [row] = await server.db.query<{ account_id: string; digest: Buffer; answer: string }>(
      'SELECT account_id, digest, answer FROM idempotency_keys ORDER BY claimed_at DESC LIMIT 1',
    );
    const context = { accountId: row!.account_id, table: 'idempotency_keys', id: row!.digest.toString('hex') };
    const [head] = secrets.open(row!.answer, context).split('\n', 1);
    const long = text.replace('"x"', JSON.stringify('"'.repeat(8 * MB - 200)));
    const body = JSON.stringify({ ...(JSON.parse(head!) as object), text: long });
    await server.db.query('UPDATE idempotency_keys SET answer = $2 WHERE digest = $1', [
      row!.digest,
      secrets.seal(body.replace(/"content-length","\d+"/, `"content-length","${long.length}"`), context),
    ]);
    const again = await send('old', query);
    expect([again.status, again.replayed, again.text === long]).toEqual([200, 'true', true]);
  });
});
