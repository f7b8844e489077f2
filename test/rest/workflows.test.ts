import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FIELDS = ['id', 'name', 'status', 'created_at', 'updated_at', 'run_count'];
const FULL_FIELDS = ['id', 'name', 'description', 'status', 'created_at', 'updated_at', 'run_count'];
/** What only the single workflow has beside them. */
const NOTICE = { failure_notice_after: 3 };
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** One code point, two UTF-16 units. */
const ASTRAL = '𝄞';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const post = (body: unknown) => client.rest('POST', '/workflows', { body });
const put = (id: string, body: unknown) => client.rest('PUT', `/workflows/${id}`, { body });
const create = async (body: object = {}) => (await post({ name: 'Flow', ...body })).body;

function refused(answer: { status: number; body: unknown }, field: string) {
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'validation_error', details: [{ field, message: expect.any(String) }] },
  });
}

describe('POST /v1/workflows', () => {
  it('answers 201 with the six fields of a draft that never ran', async () => {
    const { status, body } = await post({ name: 'Orders' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(FIELDS);
    expect(body).toEqual({
      id: expect.stringMatching(/^wf_[0-9a-z]{26}$/),
      name: 'Orders',
      status: 'draft',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: body.created_at,
      run_count: 0,
    });
  });

  it('shows the description between name and status when one was given', async () => {
    const { body } = await post({ description: 'What it does', name: 'Orders' });
    expect(Object.keys(body)).toEqual(FULL_FIELDS);
    expect(body.description).toBe('What it does');
  });

  it.each(['active', 'draft'])('takes the status %s', async (status) => {
    expect((await post({ name: 'x', status })).body.status).toBe(status);
  });

  it.each(['paused', 'archived', 'ACTIVE', 'Draft', '', 'deleted', null, 1, true, ['active'], {}])(
    'refuses the status %j',
    async (status) => {
      refused(await post({ name: 'x', status }), 'status');
    },
  );

  it.each(['', null])('stores no description for %j', async (description) => {
    const { status, body } = await post({ name: 'x', description });
    expect([status, Object.keys(body)]).toEqual([201, FIELDS]);
  });

  it('takes a name of 1 and of 255 code points and a description of 1,000', async () => {
    for (const name of ['n', 'n'.repeat(255), ASTRAL.repeat(255)]) {
      expect(await post({ name })).toMatchObject({ status: 201, body: { name } });
    }
    for (const description of ['d'.repeat(1_000), ASTRAL.repeat(1_000)]) {
      expect(await post({ name: 'x', description })).toMatchObject({ status: 201, body: { description } });
    }
  });

  it.each([undefined, null, '', 5, true, ['x'], {}])('refuses the name %j', async (name) => {
    refused(await post({ name }), 'name');
  });

  it.each([5, false, [], {}])('refuses the description %j', async (description) => {
    refused(await post({ name: 'x', description }), 'description');
  });

  it('refuses a name of 256 code points and a description of 1,001', async () => {
    for (const letter of ['x', ASTRAL]) {
      refused(await post({ name: letter.repeat(256) }), 'name');
      refused(await post({ name: 'x', description: letter.repeat(1_001) }), 'description');
    }
  });

  it('trims nothing and normalises nothing', async () => {
    const name = ' \t e\u0301 \u00a0\n';
    expect((await post({ name, description: '  ' })).body).toMatchObject({ name, description: '  ' });
  });

  it('names every faulty field at once', async () => {
    const { body } = await post({ description: 1, status: 'x' });
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(['name', 'description', 'status']);
  });

  it('stores nothing that it refuses', async () => {
    const before = (await client.rest('GET', '/workflows')).body.meta.total;
    await post({ name: '', status: 'active' });
    expect((await client.rest('GET', '/workflows')).body.meta.total).toBe(before);
  });
});

describe('GET /v1/workflows/:id', () => {
  it('gives the object that was created, and when its failures are noticed', async () => {
    const { id, name, description, status, ...rest } = await create({ description: 'd', status: 'active' });
    const answer = await client.rest('GET', `/workflows/${id}`);
    const whole = { id, name, description, status, ...NOTICE, ...rest };
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, JSON.stringify(whole)]);
  });

  it.each([
    'wf_01h455vb4pex5vsknk084sn02q',
    'wf_',
    'nonsense',
    'trg_01h455vb4pex5vsknk084sn02q',
    '%00',
    '%F0%9F%98%80',
  ])('does not know %s', async (id) => {
    expect(await client.rest('GET', `/workflows/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('takes an id in its own case only', async () => {
    const { id } = await create();
    expect((await client.rest('GET', `/workflows/${id.toUpperCase()}`)).status).toBe(404);
  });
});

describe('failure_notice_after', () => {
  it('is set by POST and PUT, and is in no answer of theirs and no row of a list', async () => {
    const { id, ...created } = await create({ failure_notice_after: 7 });
    const read = async () => (await client.rest('GET', `/workflows/${id}`)).body.failure_notice_after as unknown;
    expect([Object.keys({ id, ...created }), await read()]).toEqual([FIELDS, 7]);
    const { body: changed } = await put(id, { failure_notice_after: null });
    expect([Object.keys(changed), await read()]).toEqual([FIELDS, null]);
    const [row] = (await client.rest('GET', '/workflows?per_page=1')).body.data;
    expect([row.id, Object.keys(row)]).toEqual([id, FIELDS]);
    const [whole] = (await client.rest('GET', '/workflows?per_page=1&view=full')).body.data;
    expect(whole).toEqual({ ...row, failure_notice_after: null });
  });
});

describe('PUT /v1/workflows/:id', () => {
  it('changes only the fields that are present', async () => {
    const before = await create({ description: 'old', status: 'active' });
    const { status, body } = await put(before.id, { name: 'new' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(FULL_FIELDS);
    expect(body).toEqual({ ...before, name: 'new', updated_at: body.updated_at });
    expect((await put(before.id, { description: 'newer' })).body).toMatchObject({ name: 'new', description: 'newer' });
    expect((await client.rest('GET', `/workflows/${before.id}`)).body).toMatchObject({ description: 'newer' });
  });

  it.each(['', null])('clears the description when it is %j', async (description) => {
    const { id } = await create({ description: 'old' });
    const { status, body } = await put(id, { description });
    expect([status, Object.keys(body)]).toEqual([200, FIELDS]);
    expect((await client.rest('GET', `/workflows/${id}`)).body).toEqual({ ...body, ...NOTICE });
  });

  it('allows every move between the four states', async () => {
    const states = ['active', 'draft', 'paused', 'archived'];
    const { id } = await create();
    for (const from of states) {
      for (const to of states) {
        await put(id, { status: from });
        expect(await put(id, { status: to })).toMatchObject({ status: 200, body: { status: to } });
      }
    }
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 3 }, 'name'],
    [{ description: {} }, 'description'],
    [{ status: null }, 'status'],
    [{ status: 'ARCHIVED' }, 'status'],
  ])('refuses %j and changes nothing', async (body, field) => {
    const before = await create({ description: 'kept' });
    refused(await put(before.id, { description: 'changed', ...body }), field);
    expect((await client.rest('GET', `/workflows/${before.id}`)).body).toEqual({ ...before, ...NOTICE });
  });

  it('has the bounds of POST', async () => {
    const { id } = await create();
    for (const letter of ['x', ASTRAL]) {
      const fits = { name: letter.repeat(255), description: letter.repeat(1_000) };
      expect(await put(id, fits)).toMatchObject({ status: 200, body: fits });
      refused(await put(id, { name: letter.repeat(256) }), 'name');
      refused(await put(id, { description: letter.repeat(1_001) }), 'description');
    }
  });

  it('moves updated_at on by a millisecond at least, also to the same value', async () => {
    const { id, name, created_at, updated_at } = await create();
    let last = Date.parse(updated_at);
    for (let i = 0; i < 5; i += 1) {
      const { body } = await put(id, { name });
      expect(Date.parse(body.updated_at)).toBeGreaterThan(last);
      expect(body.created_at).toBe(created_at);
      last = Date.parse(body.updated_at);
    }
  });

  it('moves it on also when the clock was set back', async () => {
    const { id, updated_at } = await create();
    await server.advance(-60_000);
    try {
      const expected = new Date(Date.parse(updated_at) + 1).toISOString();
      expect((await put(id, { description: 'd' })).body.updated_at).toBe(expected);
    } finally {
      await server.advance(60_000);
    }
  });

  it('gives each of many changes at once an updated_at of its own', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => put(id, { name: `n${i}` })));
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(12);
  });

  it.each([{}, undefined, { id: 'wf_x', run_count: 7, unknown: 1 }])(
    'leaves everything, updated_at too, for %j',
    async (body) => {
      const before = await create({ description: 'd' });
      const { status, body: after } = await put(before.id, body);
      expect([status, after]).toEqual([200, before]);
    },
  );

  it('does not move updated_at when run_count grows', async () => {
    const before = await create({ status: 'active' });
    const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: before.id, type: 'webhook' } });
    await fetch(trigger.body.webhook_url as string, { method: 'POST', body: '1' });
    const { body } = await client.rest('GET', `/workflows/${before.id}`);
    expect(body).toEqual({ ...before, ...NOTICE, run_count: 1 });
  });
});
