import { type Database, type Queryable } from '../../../src/platform/db/database.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

let world: IntegrationWorld;
beforeAll(async () => {
  world = await IntegrationWorld.open();
});
beforeEach(() => world.provider.reset());
afterAll(() => world.close());

/** Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
const BASIC = `Basic ${Buffer.from('client:client%2Dsecret%2D4711').toString('base64')}`;

describe('a client that revokes tokens', () => {
  it.each([
    ['as at the token endpoint unless told', 'oauth_app', BASIC, BASIC],
    ['by Basic where it gets them by the body', 'basic_back_app', undefined, BASIC],
    ['by the body where it gets them by Basic', 'post_back_app', BASIC, undefined],
  ])('proves itself %s', async (_, type, atToken, atRevocation) => {
    const id = await world.connected('alice', type);
    await world.post(`/integrations/${id}/disconnect`);
    await until(() => world.provider.revocations.length === 2);
    const proofs = [...world.provider.requests('authorization_code'), ...world.provider.revocations].map(
      ({ authorization, form }) => [authorization, form.get('client_secret')],
    );
    const proof = (authorization: string | undefined) =>
      authorization === undefined ? [undefined, 'client-secret-4711'] : [authorization, null];
    expect(proofs).toEqual([proof(atToken), proof(atRevocation), proof(atRevocation)]);
  });
});

describe('the end of a connection whose application ends the whole grant with a token', () => {
  const ENDS: Record<string, (id: string) => Promise<unknown>> = {
    disconnected: (id) => world.post(`/integrations/${id}/disconnect`),
    deleted: (id) => world.client.rest('DELETE', `/integrations/${id}`),
  };
  let real: Pick<Database, 'query' | 'transaction'>;
  beforeEach(() => {
    const { db } = world.server;
    real = { query: db.query.bind(db), transaction: db.transaction.bind(db) };
  });
  afterEach(() => void Object.assign(world.server.db, real));

  /** Lets the first question fail whether another connection shares the grant, on its own or in a transaction. */
  function breakQuestion(): void {
    let isBroken = true;
    const broken =
      ({ query }: Pick<Queryable, 'query'>): Queryable['query'] =>
      async (text, values) => {
        if (!isBroken || !text.includes('IS NOT DISTINCT FROM $4')) return query(text, values);
        isBroken = false;
        throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
      };
    Object.assign(world.server.db, {
      query: broken(real),
      transaction: ((work, lockMs) =>
        real.transaction((tx) => work({ ...tx, query: broken(tx) }), lockMs)) satisfies Database['transaction'],
    });
  }

  it.each(Object.entries(ENDS))('revokes it by a repeated request after one that failed: %s', async (_, end) => {
    const id = await world.connected('alice', 'one_grant_app');
    breakQuestion();
    await end(id);
    await end(id);
    await until(() => world.provider.revocations.length === 2);
  });

  it.each(Object.entries(ENDS))('revokes it once both connections end at the same time: %s', async (_, end) => {
    const ids = [await world.connected('alice', 'one_grant_app'), await world.connected('alice', 'sister_app')];
    await Promise.all(ids.map(end));
    await until(() => world.provider.revocations.length === 2);
  });
});
