import { CallWorld } from './upstream.js';

/** Of the contract, in milliseconds. A timer may be a few early. */
const IN_ALL = 30_000 - 50;

describe('an application that never ends its response', () => {
  let world: CallWorld;
  beforeAll(async () => {
    world = await CallWorld.open({ env: { ROLES: 'api' } });
  });
  afterAll(() => world.close());

  it('is waited for 30 seconds, by each kind of call', async () => {
    world.upstream.onRequest = ({ url }, response) => {
      if (!url!.includes('drip')) return;
      const timer = setInterval(() => response.write('x'), 500);
      response.once('close', () => clearInterval(timer));
    };
    const begun = performance.now();
    const timed = async <T>(work: Promise<T>) => {
      const result = await work;
      expect(performance.now() - begun).toBeGreaterThanOrEqual(IN_ALL);
      return result;
    };
    const cutOff = world.proxy('/drip').then(async (response) => [response.status, await response.text()]);
    const [silent, dripping, called, cut] = await Promise.all([
      timed(world.proxy('/silent')),
      timed(cutOff.catch((error: unknown) => (error as Error).name)),
      timed(
        world.client.graphql('mutation ($input: CallApplicationInput!) { callApplication(input: $input) { status } }', {
          input: { integrationId: world.id, path: '/silent', retries: 5 },
        }),
      ),
      timed(world.call({ path: '/drip' })),
    ]);
    expect([silent.status, silent.headers.get('proxy-status')]).toEqual([
      504,
      'workflow-gateway; error=http_response_timeout',
    ]);
    expect(await silent.json()).toMatchObject({ code: 'provider_unavailable' });
    expect(dripping).toBe('TypeError');
    expect(called.body.errors![0]!.extensions.code).toBe('PROVIDER_UNAVAILABLE');
    expect([cut.status, cut.body.code]).toEqual([502, 'provider_unavailable']);
    expect(cut.body.message).toMatch(/^127\.0\.0\.1:\d+ gave no whole answer within \d+ ms\. \(timeout\)$/);
  });
});
