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
