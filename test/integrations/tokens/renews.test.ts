import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StillClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

const MINUTE = 60_000;

describe('renews', () => {
  let world: IntegrationWorld;
  beforeAll(async () => {
    world = await IntegrationWorld.open({ clock: new StillClock() });
  });
  afterAll(() => world.close());

  const renews = async (id: string) => (await world.get(id)).renews as boolean;

  it('is true while the service renews the connection automatically', async () => {
    const id = await world.connected();
    expect(await world.get(id)).toMatchObject({ status: 'connected', renews: true, expires_at: expect.any(String) });
    const list = await world.client.graphql('{ integrations { items { renews } } }');
    expect(list.body.data.integrations.items).toEqual([{ renews: true }]);

    world.provider.onToken = () => ({ status: 500 });
    await world.server.advance(50 * MINUTE);
    await until(async () => !(await renews(id)));
    world.provider.onToken = undefined;
    await world.server.advance(MINUTE);
    await until(() => renews(id));

    await world.post(`/integrations/${id}/disconnect`);
    expect(await renews(id)).toBe(false);
  });

  it('is false if nothing renews the connection or nothing expires', async () => {
    expect(await renews((await world.start()).id)).toBe(false);
    world.provider.onToken = ({ form }) => {
      const { body } = world.provider.issue(form) as { body: object };
      return { body: { ...body, refresh_token: undefined } };
    };
    const ending = await world.connected();
    expect(await world.get(ending)).toMatchObject({ renews: false, expires_at: expect.any(String) });
    world.provider.onToken = undefined;
    world.provider.extra = {};
    expect(await world.get(await world.connected())).toMatchObject({ renews: false, expires_at: null });
    const key = await world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: 'good' } });
    expect(await renews(key.body.id as string)).toBe(false);
  });
});
