import { type Answer } from '../integrations/scripted-provider.js';
import { IntegrationWorld } from '../integrations/world.js';

/** JSON of this many levels between `before` and `after`. */
const nested = (levels: number, before = '', after = '') =>
  `${before}${'['.repeat(levels)}${']'.repeat(levels)}${after}`;

describe('the nesting of a response of an application', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  async function after(type: string, script: () => void): Promise<Record<string, any>> {
    script();
    const { id, state } = await world.start(type);
    await world.callback({ state, code: 'alice' }, { type });
    return world.get(id);
  }
  const token = (levels: number): Answer => ({ body: nested(levels - 1, '{"access_token":"t","x":', '}') });
  const identity = (levels: number): Answer => ({
    body: nested(levels - 1, '{"data":{"id":"alice","name":"A"},"x":', '}'),
  });

  it('is 200 levels at most in an answer with tokens; more is garbage', async () => {
    const answered = (levels: number) => after('bare_app', () => (world.provider.onToken = () => token(levels)));
    expect(await answered(200)).toMatchObject({ status: 'connected' });
    expect(await answered(201)).toMatchObject({ status: 'disconnected', status_reason: 'exchange_failed' });
  });

  it('is 200 levels at most in an answer with an identity; more is garbage', async () => {
    const answered = (levels: number) => after('oauth_app', () => (world.provider.onIdentity = () => identity(levels)));
    expect(await answered(200)).toMatchObject({ status: 'connected', account: { id: 'alice' } });
    expect(await answered(201)).toMatchObject({ status: 'disconnected' });
  });

  it('is 200 levels at most in an answer to a renewal; more is no refusal', async () => {
    world.provider.extra = { expires_in: 60, refresh_token_expires_in: 864_000 };
    const id = await world.connected();
    const renewed = async (levels: number) => {
      world.provider.onToken = () => token(levels);
      await world.server.advance(3_600_000);
      const { body } = await world.post(`/integrations/${id}/test`);
      return { ...(await world.get(id)), test: body };
    };
    world.provider.onIdentity = () => identity(2);
    expect(await renewed(201)).toMatchObject({
      status: 'connected',
      test: { ok: false, reason: 'provider_unavailable' },
    });
    expect(await renewed(200)).toMatchObject({ status: 'connected', test: { ok: true } });
    expect(world.provider.requests('refresh_token')).not.toEqual([]);
  });
});
