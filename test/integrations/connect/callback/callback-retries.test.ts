import { type Database } from '../../../../src/platform/db/database.js';
import { until } from '../../../support/until.js';
import { IntegrationWorld } from '../../world.js';

/** An error of a connection that was lost. */
const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });

describe('an OAuth callback while the database is briefly away', () => {
  let world: IntegrationWorld;
  let real: Pick<Database, 'select' | 'transaction'>;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
    const { db } = world.server;
    real = { select: db.select.bind(db), transaction: db.transaction.bind(db) };
  });
  beforeEach(() => {
    world.provider.reset();
    Object.assign(world.server.db, real);
  });
  afterEach(() => void Object.assign(world.server.db, real));
  afterAll(() => world.close());

  /** Lets statements that consume a state fail, before or after their commit, `times` times. */
  function breakTaking(times: number, isBefore: boolean): void {
    world.server.db.select = async (entity, text, values) => {
      const breaks = text.includes('UPDATE authorizations') && (times -= 1) >= 0;
      if (breaks && isBefore) throw lost();
      const rows = await real.select(entity, text, values);
      if (breaks) throw lost();
      return rows;
    };
  }

  /** Lets transactions fail, before or after their commit, `times` times. */
  function breakStoring(times: number, isBefore: boolean): void {
    world.server.db.transaction = async (work, lockMs) => {
      const breaks = (times -= 1) >= 0;
      if (breaks && isBefore) throw lost();
      const result = await real.transaction(work, lockMs);
      if (breaks) throw lost();
      return result;
    };
  }

  it.each([
    ['consuming the state fails', () => breakTaking(2, true)],
    ['the response to consuming the state is lost', () => breakTaking(2, false)],
    ['storing the tokens fails', () => breakStoring(2, true)],
    ['the response to storing the tokens is lost', () => breakStoring(1, false)],
  ])('connects, with one exchange, when %s', async (_, breakIt) => {
    const { id, state } = await world.start();
    breakIt();
    const landing = await world.callback({ state, code: 'alice' });
    expect([landing.status, landing.page]).toEqual([200, expect.stringContaining('is connected')]);
    expect((await world.get(id)).status).toBe('connected');
    expect(world.provider.requests('authorization_code')).toHaveLength(1);
    expect(world.provider.revoked).toEqual([]);
    expect((await world.callback({ state, code: 'alice' })).status).toBe(400);
  });

  it('says that access was denied when the response to storing that is lost', async () => {
    const { id, state } = await world.start();
    breakStoring(1, false);
    const { page } = await world.callback({ state, error: 'access_denied' });
    expect(page).toContain('Access was denied');
    expect((await world.get(id)).status_reason).toBe('access_denied');
  });

  it('for longer than its patience answers 503 with a page that repeats it, and the state stays valid', async () => {
    const [waiting, spent] = [await world.start(), await world.start()];
    const urlOf = (state: string) => `${world.server.baseUrl}/oauth/callback/oauth_app?state=${state}&code=alice`;
    // One whose code is exchanged and cannot be stored: its page does not repeat it.
    breakStoring(1_000, true);
    const failing = fetch(urlOf(spent.state));
    await until(() => world.provider.tokenRequests.length === 1);
    breakTaking(1_000, true);
    const response = await fetch(urlOf(waiting.state));
    expect([response.status, response.headers.get('refresh')]).toEqual([503, '5']);
    expect(await response.text()).toContain(`href="/oauth/callback/oauth_app?state=${waiting.state}&amp;code=alice"`);
    const failed = await failing;
    expect([failed.status, failed.headers.get('refresh')]).toEqual([503, null]);
    expect(await failed.text()).toContain('could not be connected');
    expect(world.provider.tokenRequests).toHaveLength(1);
    // Nothing else would ever revoke what was granted.
    await until(() => world.provider.revoked.length === 2);
    Object.assign(world.server.db, real);
    const again = [await fetch(urlOf(waiting.state)), await fetch(urlOf(spent.state))];
    expect(again.map(({ status }) => status)).toEqual([200, 400]);
    expect((await world.get(waiting.id)).status).toBe('connected');
    expect(world.provider.requests('authorization_code')).toHaveLength(2);
  });

  it('revokes no tokens that may have been stored', async () => {
    const { id, state } = await world.start();
    breakStoring(1_000, false);
    expect((await world.callback({ state, code: 'alice' })).status).toBe(503);
    Object.assign(world.server.db, real);
    expect((await world.get(id)).status).toBe('connected');
    const called = await world.post(`/integrations/${id}/test`);
    expect([called.body, world.provider.revoked]).toEqual([{ ok: true, reason: null }, []]);
  });
});
