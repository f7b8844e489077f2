import {
  ALL_DUE,
  DUE_IN_TURNS,
  DUE_OF_GROUP,
  DueRenewals,
} from '../../../src/features/integrations/tokens/due-renewals.js';
import { type TokenRenewal } from '../../../src/features/integrations/tokens/token-renewal.js';
import { createOutbound, type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { StillClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { Client } from '../../support/http/client.js';
import { IntegrationWorld } from '../world.js';
import { renewalOf } from './renewal-of.js';
import { rowsReadBy } from '../../support/database/plan.js';

const HOUR = 3_600_000;

describe('the job that renews access tokens', () => {
  let world: IntegrationWorld;
  let outbound: Outbound;
  let renewal: TokenRenewal;

  // The service itself renews none.
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' }, clock: new StillClock() });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    renewal = renewalOf(world.server, world, outbound);
  });
  beforeEach(async () => {
    world.provider.reset();
    await world.server.db.query('DELETE FROM integrations');
  });
  afterAll(async () => {
    await outbound.close();
    await world.close();
  });

  const refreshes = () => world.provider.requests('refresh_token').length;

  it('renews all that are due while one of them hangs, no more at once than there are slots', async () => {
    for (const user of ['slow', 'a', 'b', 'c', 'd', 'e', 'f']) await world.connected(user);
    await world.server.advance(HOUR);
    const hanging = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    world.provider.onToken = async ({ form }) => {
      most = Math.max(most, (underWay += 1));
      // The one that is due first.
      if (refreshes() === 1) await hanging.promise;
      underWay -= 1;
      return world.provider.issue(form);
    };
    const renewed = renewal.renewDue(3);
    await until(() => refreshes() === 7 && underWay === 1);
    hanging.resolve();
    expect(await renewed).toBe(7);
    expect(most).toBeLessThanOrEqual(3);
    expect(await renewal.renewDue(3)).toBe(0);
  });

  it('begins no further renewal after the signal', async () => {
    for (const user of ['a', 'b', 'c']) await world.connected(user);
    await world.server.advance(HOUR);
    const stop = new AbortController();
    world.provider.onToken = ({ form }) => {
      stop.abort();
      return world.provider.issue(form);
    };
    expect(await renewal.renewDue(1, stop.signal)).toBe(1);
    expect(refreshes()).toBe(1);
  });

  /** A connection of another account. */
  async function connectedByOther(): Promise<string> {
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    const { id, state } = await world.start('oauth_app', {}, other);
    await world.callback({ state, code: 'other' });
    return fromPublicId('int', id)!;
  }

  it('renews the token of another account, due later, while those of one account hang in its share of the slots', async () => {
    for (let count = 0; count < 10; count += 1) await world.connected(`slow${count}`);
    await world.server.advance(HOUR);
    const other = await connectedByOther();
    const hanging = Promise.withResolvers<void>();
    world.provider.onToken = async ({ form }) => {
      const answer = world.provider.issue(form);
      if (!JSON.stringify(answer.body).includes('other')) await hanging.promise;
      return answer;
    };
    const renewed = renewal.renewDue(9);
    await until(() => refreshes() === 4);
    // Nothing that is under way ends.
    await world.server.db.query('UPDATE integrations SET renew_at = clock_now() WHERE id = $1', [other]);
    await until(() => refreshes() === 5);
    hanging.resolve();
    expect(await renewed).toBe(11);
  });

  it('looks at all tokens that are due up to 100, and by turns of accounts beyond that', async () => {
    const { db } = world.server;
    await world.connected();
    const own = await connectedByOther();
    await world.server.advance(HOUR);
    // So many tokens of one account are due, all before that of the other one.
    const add = async (count: number) => {
      const columns = await db.query<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'integrations'::regclass AND attnum > 0
           AND NOT attisdropped AND attname NOT IN ('id', 'renew_at', 'events_digest')`,
      );
      const names = columns.map(({ name }) => name).join(', ');
      await db.query(
        `INSERT INTO integrations (id, renew_at, events_digest, ${names})
         SELECT gen_random_uuid(), clock_now() - interval '1 day', sha256(gen_random_uuid()::text::bytea), ${names}
         FROM integrations, generate_series(1, ${count}) WHERE id <> $1 AND renew_at > clock_now() - interval '1 day'`,
        [own],
      );
    };
    await add(ALL_DUE - 2);
    expect(ALL_DUE).toBe(100);
    expect((await new DueRenewals(db).next()).map(({ uuid }) => uuid)).toContain(own);
    expect(await new DueRenewals(db).next()).toHaveLength(100);
    await add(10_000);
    await db.query('ANALYZE integrations');
    const due = await new DueRenewals(db).next();
    expect(due.slice(0, DUE_OF_GROUP + 1).map(({ uuid }) => uuid)).toContain(own);
    expect(due.length).toBeLessThanOrEqual(ALL_DUE + 2 + 2 * DUE_OF_GROUP);
    // The statement reads no more of the backlog than it returns.
    const rows = await rowsReadBy(db, DUE_IN_TURNS.replace('$1', `'${'0'.repeat(32)}'`).replace('$2', `''`));
    expect(Math.max(...rows)).toBeLessThan(50);
  });
});
