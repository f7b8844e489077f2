import { NoticeWorld } from '../notice-world.js';

const HOUR = 3_600_000;

describe('a connection whose renewal comes after the end of its refresh token', () => {
  let notices: NoticeWorld;

  beforeAll(async () => {
    notices = await NoticeWorld.open();
  });
  beforeEach(() => notices.reset());
  afterAll(() => notices.close());

  const late = async () => {
    const id = await notices.connect(1, {
      refresh: true,
      more: { expires_in: 3_600, refresh_token_expires_in: 7_200 },
    });
    await notices.advance(3 * HOUR);
    return id;
  };
  const stateOf = async (id: string) => {
    const { status, status_reason: reason } = await notices.world.get(id);
    return [status, reason];
  };

  it('does not expire before a renewal was attempted, which may still succeed', async () => {
    const id = await late();
    await notices.expire();
    expect(await stateOf(id)).toEqual(['connected', undefined]);
    await notices.renewDue();
    await notices.expire();
    expect(await stateOf(id)).toEqual(['connected', undefined]);
    expect(notices.world.provider.requests('refresh_token')).toHaveLength(1);
  });

  it.each([
    ['fails', { status: 500 }],
    ['is refused', { status: 400, body: { error: 'invalid_grant' } }],
  ])('expires as token_expired when the renewal %s', async (_, answer) => {
    const id = await late();
    notices.world.provider.onToken = () => answer;
    await notices.renewDue();
    expect(await stateOf(id)).toEqual(['connected', undefined]);
    await notices.expire();
    expect(await stateOf(id)).toEqual(['expired', 'token_expired']);
    await notices.renewDue();
    expect(notices.world.provider.requests('refresh_token')).toHaveLength(1);
  });
});
