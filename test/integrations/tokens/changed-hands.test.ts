import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

let world: IntegrationWorld;
beforeAll(async () => {
  world = await IntegrationWorld.open();
});
afterAll(() => world.close());
afterEach(() => world.provider.reset());

const call = (reference: string) =>
  world.post('/integrations/call', { connection: { type: 'bare_app', reference }, path: '/api/mine' });

describe('a call by reference, during whose renewal another end user connects the integration', () => {
  it.each([
    ['has expired', () => (world.provider.extra = { expires_in: 30 }), () => undefined],
    ['is refused', () => undefined, () => world.provider.endAccess('ada')],
  ])('gets no token of that user where the first token %s', async (_, before, after) => {
    const { provider } = world;
    before();
    const { id, state } = await world.start('bare_app', { reference: 'ada' });
    const held = Promise.withResolvers<void>();
    provider.onToken = async ({ form }) => {
      if (form.get('grant_type') === 'refresh_token') await held.promise;
      return provider.issue(form);
    };
    await world.callback({ state, code: 'ada' }, { type: 'bare_app' });
    after();
    const called = call('ada');
    await until(() => provider.requests('refresh_token').length > 0);
    expect((await world.client.rest('PUT', `/integrations/${id}`, { body: { reference: 'bob' } })).status).toBe(200);
    provider.extra = { expires_in: 3_600 };
    await world.callback({ state: (await world.restart(id)).state, code: 'bob' }, { type: 'bare_app' });
    held.resolve();
    expect(await called).toMatchObject({
      status: 404,
      body: { message: 'There is no connected integration of that type and reference.' },
    });
    expect(provider.calls.filter(({ token }) => token.startsWith('at-bob-'))).toEqual([]);
    expect(await call('bob')).toMatchObject({ status: 200, body: { integration_id: id, status: 200 } });
    expect(provider.calls.at(-1)!.token).toMatch(/^at-bob-/);
    await world.client.rest('DELETE', `/integrations/${id}`);
  });
});
