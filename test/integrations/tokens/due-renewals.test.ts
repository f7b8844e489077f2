import { type TokenRenewal } from '../../../src/features/integrations/tokens/token-renewal.js';
import { createOutbound, type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { StillClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';
import { renewalOf } from './renewal-of.js';

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
});
