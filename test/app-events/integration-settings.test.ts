import { Client } from '../support/http/client.js';
import { EventWorld, type Source } from './event-world.js';

let world: EventWorld;
let source: Source;
beforeAll(async () => {
  world = await EventWorld.open();
  source = await world.connect('github_like');
});
afterAll(() => world.close());

const get = async () => (await world.client.rest('GET', `/integrations/${source.id}`)).body;
const clientOf = async (scope: 'read-only' | 'read-write', account?: string) =>
  new Client(world.server.baseUrl, await world.server.key(scope, account));

describe('PUT /integrations/{id}', () => {
  it('changes the given fields, and returns the integration', async () => {
    const before = await get();
    const named = await world.update(source, { name: 'Our shop', reference: 'customer-7' });
    expect(named).toMatchObject({ status: 200, body: { ...before, name: 'Our shop', reference: 'customer-7' } });
    expect(await get()).toEqual(named.body);
    expect((await world.client.rest('GET', '/integrations?reference=customer-7')).body.data).toHaveLength(1);
    const { body } = await world.update(source, { reference: null });
    expect(body).toEqual({ ...before, name: 'Our shop' });
  });

  it('changes nothing with an empty body, and never the version or the history', async () => {
    await world.update(source, { name: 'As it was', reference: 'r', events_secret: 'a secret of theirs' });
    const before = await get();
    expect((await world.update(source, {})).body).toEqual(before);
    expect(before.version).toBe(1);
    const query = 'query ($id: ID!) { integration(id: $id) { eventsProof history { meta { total } } } }';
    const { integration } = (await world.client.graphql(query, { id: source.id })).body.data;
    expect(integration).toEqual({ eventsProof: 'SET', history: { meta: { total: 1 } } });
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ reference: '' }, 'reference'],
    [{ reference: 7 }, 'reference'],
    [{ events_secret: '' }, 'events_secret'],
    [{ events_secret: 'x'.repeat(256) }, 'events_secret'],
    [{ events_secret: ['x'] }, 'events_secret'],
  ])('refuses %j', async (body, field) => {
    const before = await get();
    expect(await world.update(source, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field }] },
    });
    expect(await get()).toEqual(before);
  });

  it.each([
    ['sandbox_oauth_like_without_events', 'notion', 'must be left out: notion has no events'],
    ['a type that signs nothing', 'postmark', 'must be left out: postmark signs no events'],
  ])('refuses a secret of %s', async (_, type, message) => {
    const other = await world.connectCatalog('stripe');
    await world.server.db.query(`UPDATE integrations SET type = $1 WHERE type = 'stripe'`, [type]);
    for (const events_secret of ['a secret', null])
      expect(await world.update(other, { events_secret })).toMatchObject({
        status: 400,
        body: { details: [{ field: 'events_secret', message }] },
      });
  });

  it('refuses a secret of Standard Webhooks that is not base64 after whsec_', async () => {
    const standard = await world.connect('standard');
    for (const events_secret of ['secret', 'whsec_', 'whsec_no base64', 'WHSEC_c2VjcmV0'])
      expect(await world.update(standard, { events_secret })).toMatchObject({
        status: 400,
        body: { details: [{ field: 'events_secret', message: 'must be base64 after whsec_' }] },
      });
    expect((await world.update(standard, { events_secret: 'whsec_c2VjcmV0c2VjcmV0' })).status).toBe(200);
  });

  it('needs a read-write key of the account', async () => {
    const body = { name: 'Mine now' };
    expect((await world.update(source, body, await clientOf('read-only'))).status).toBe(403);
    expect((await world.update(source, body, await clientOf('read-write', 'stranger'))).status).toBe(401);
    expect((await world.update({ id: 'int_01k00000000000000000000000' }, body)).status).toBe(404);
    expect((await get()).name).not.toBe('Mine now');
  });
});

describe('updateIntegration', () => {
  it('does the same, and names errors as GraphQL does', async () => {
    const mutation = `mutation ($id: ID!, $input: UpdateIntegrationInput!) {
      updateIntegration(id: $id, input: $input) { name reference eventsProof eventsSecret version } }`;
    const run = async (input: object) => (await world.client.graphql(mutation, { id: source.id, input })).body;
    const set = await run({ name: 'By GraphQL', reference: 'g', eventsSecret: 'their secret' });
    expect(set.data.updateIntegration).toEqual({
      name: 'By GraphQL',
      reference: 'g',
      eventsProof: 'SET',
      eventsSecret: null,
      version: 1,
    });
    const removed = await run({ eventsSecret: null });
    expect(removed.data.updateIntegration).toMatchObject({ eventsProof: 'MADE', eventsSecret: source.secret });
    const refused = await run({ eventsSecret: '' });
    expect(refused.errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'eventsSecret' }],
    });
  });
});

describe('a deleted integration', () => {
  it('has no events secret any more', async () => {
    const gone = await world.connect('github_like');
    await world.update(gone, { events_secret: 'a secret to forget' });
    await world.client.rest('DELETE', `/integrations/${gone.id}`);
    const rows = await world.server.db.query<{ secret: string | null }>(
      `SELECT provider_secret AS secret FROM integrations WHERE deleted_at IS NOT NULL`,
    );
    expect(rows).toEqual([{ secret: null }]);
  });
});
