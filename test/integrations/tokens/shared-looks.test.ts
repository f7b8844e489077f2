import { mock } from 'node:test';
import { createOutbound } from '../../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';
import { renewalOf } from './renewal-of.js';

const CALLS = 50;

it('calls that wait for the same renewal look at it together', async () => {
  const world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
  try {
    const { db } = world.server;
    const uuid = fromPublicId('int', await world.connected('alice', 'oauth_app'))!;
    const set = (until: string, life: string) =>
      db.query(
        `UPDATE integrations SET renewal_until = ${until}, access_expires_at = clock_now() + interval '${life}' WHERE id = $1`,
        [uuid],
      );
    // As if another process were renewing it.
    await set(`clock_now() + interval '1 minute'`, '1 second');
    const query = mock.method(db, 'query');
    const looks = () => query.mock.calls.filter(({ arguments: [text] }) => text.includes('"isBeingRenewed"')).length;
    const statements = () => query.mock.callCount();
    const renewal = renewalOf(world.server, world, outbound);
    const calls = Promise.all(Array.from({ length: CALLS }, () => renewal.token(uuid)));
    await until(() => looks() >= CALLS + 3);
    await set('NULL', '1 hour');
    expect(new Set((await calls).map(({ sealed }) => sealed)).size).toBe(1);
    expect(looks()).toBeLessThan(2 * CALLS);
    expect(statements()).toBeLessThan(2 * CALLS);
    query.mock.restore();
  } finally {
    await outbound.close();
    await world.close();
  }
});
