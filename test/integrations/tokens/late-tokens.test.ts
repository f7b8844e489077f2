import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

describe('tokens that are issued after the end of their connection', () => {
  let world: IntegrationWorld;
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  });
  beforeEach(async () => {
    world.provider.reset();
    for (const { id } of (await world.client.rest('GET', '/integrations')).body.data)
      await world.client.rest('DELETE', `/integrations/${id}`);
    await idle();
    world.provider.reset();
  });
  afterAll(() => world.close());

  const TYPES = ['oauth_app', 'one_grant_app'];
  const ENDS: Record<string, (id: string) => Promise<unknown>> = {
    disconnected: (id) => world.post(`/integrations/${id}/disconnect`),
    deleted: (id) => world.client.rest('DELETE', `/integrations/${id}`),
  };
  const during = Object.entries(ENDS).flatMap(([ended, end]) => TYPES.map((type) => ({ ended, end, type })));
  const idle = () => new Promise((resolve) => setTimeout(resolve, 300));

  interface Issued {
    access_token: string;
    refresh_token: string;
  }
  /** Ends a connection while the provider issues tokens for it. @returns the tokens. */
  async function late(request: () => Promise<unknown>, end: () => Promise<unknown>): Promise<Issued> {
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    let issued: unknown;
    world.provider.onToken = async ({ form }) => {
      const answer = world.provider.issue(form);
      issued ??= answer.body;
      await released.promise;
      return answer;
    };
    const requested = request();
    await until(() => issued !== undefined);
    world.provider.onToken = undefined;
    await end();
    released.resolve();
    await requested;
    return issued as Issued;
  }
  /** A renewal, because the application refuses the access token. */
  const renewal = async (type: string): Promise<[string, () => Promise<unknown>]> => {
    const id = await world.connected('alice', type);
    return [
      id,
      () => {
        world.provider.endAccess('alice');
        return world.post(`/integrations/${id}/call`, { path: '/api/x' });
      },
    ];
  };
  const areValid = ({ access_token, refresh_token }: Issued) =>
    [access_token, refresh_token].map((token) => world.provider.knows(token));

  it.each(during)('are revoked if it is $ended during the renewal of $type', async ({ end, type }) => {
    const [id, renew] = await renewal(type);
    const tokens = await late(renew, () => end(id));
    await until(() => world.provider.revoked.includes(tokens.access_token));
    expect(areValid(tokens)).toEqual([false, false]);
  });

  it.each(during)('are revoked if it is $ended during the exchange of $type', async ({ end, type }) => {
    const { id, state } = await world.start(type);
    const tokens = await late(
      () => world.callback({ state, code: 'alice' }, { type }),
      () => end(id),
    );
    await until(() => world.provider.revoked.includes(tokens.access_token));
    expect(areValid(tokens)).toEqual([false, false]);
  });

  describe('of an application that ends the whole grant with a token', () => {
    const type = 'one_grant_app';

    it.each(Object.entries(ENDS))('stay if another connection of the same user shares it: %s', async (_, end) => {
      const [id, renew] = await renewal(type);
      const tokens = await late(renew, async () => {
        await world.connected('alice', 'sister_app');
        await end(id);
      });
      const { id: other, state } = await world.start(type);
      const more = await late(
        () => world.callback({ state, code: 'alice' }, { type }),
        () => end(other),
      );
      await idle();
      expect([areValid(tokens), areValid(more), world.provider.revoked]).toEqual([[true, true], [true, true], []]);
    });

    it('are revoked if another user has a connection', async () => {
      await world.connected('bob', 'sister_app');
      const { id, state } = await world.start(type);
      const tokens = await late(
        () => world.callback({ state, code: 'alice' }, { type }),
        () => ENDS.deleted!(id),
      );
      await until(() => !world.provider.knows(tokens.access_token));
    });

    it('stay if it is not known whose they are and there is another connection', async () => {
      await world.connected('bob', 'sister_app');
      const { id, state } = await world.start(type);
      world.provider.onIdentity = () => ({ status: 500 });
      await late(
        () => world.callback({ state, code: 'alice' }, { type }),
        () => ENDS.deleted!(id),
      );
      await idle();
      expect(world.provider.revoked).toEqual([]);
    });

    it('stay if a new flow has begun, or connected it again', async () => {
      const [id, renew] = await renewal(type);
      const tokens = await late(renew, async () => {
        const { state } = await world.restart(id);
        await world.callback({ state, code: 'alice' }, { type });
      });
      await idle();
      expect([areValid(tokens), world.provider.revoked]).toEqual([[true, true], []]);
      const { id: other, state } = await world.start(type);
      await late(
        () => world.callback({ state, code: 'alice' }, { type }),
        () => world.restart(other),
      );
      await idle();
      expect(world.provider.revoked).toEqual([]);
    });
  });
});
