import { Client } from '../support/http/client.js';
import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';

const DAY = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Signs a user in with a browser of this name. */
async function browserOf(email: string, agent: string): Promise<Client> {
  const headers = { 'user-agent': agent };
  const { headers: answered } = await atHome(server).send('POST', '/auth/sign-in/email', {
    body: { email, password: PASSWORD },
    headers,
  });
  return atHome(server, cookieOf(answered));
}

const sessionsOf = async (client: Client) => (await client.send('GET', '/auth/sessions')).body.sessions as any[];

describe('the sessions of a person', () => {
  it('are listed with browser, address and times, and without those of others', async () => {
    const email = await makeUser(server);
    const phone = await browserOf(email, 'Phone/1');
    await server.advance(2 * DAY);
    const laptop = await browserOf(email, 'Laptop/2');
    await signedInByPassword(server);
    const sessions = await sessionsOf(phone);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^ses_/),
        created_at: expect.any(String),
        used_at: expect.stringContaining(server.clock.now().toISOString().slice(0, 10)),
        address: '127.0.0.1',
        user_agent: 'Laptop/2',
        current: false,
      },
      expect.objectContaining({ user_agent: 'Phone/1', current: true }),
    ]);
    expect((await sessionsOf(laptop)).map(({ current }) => current)).toEqual([true, false]);
    expect(JSON.stringify(sessions)).not.toMatch(/digest|token/);
  });

  it('leave the list when they end', async () => {
    const email = await makeUser(server);
    await browserOf(email, 'Old/1');
    await server.advance(15 * DAY);
    const client = await browserOf(email, 'New/1');
    expect((await sessionsOf(client)).map(({ user_agent }) => user_agent)).toEqual(['New/1']);
  });

  it('are ended one by one, by their person alone', async () => {
    const [one, two] = [await signedInByPassword(server), await signedInByPassword(server)];
    const [{ id }] = (await sessionsOf(one.client)) as [any];
    for (const body of [{ id }, { id: 'ses_none' }, { id: 7 }, {}]) {
      const { status, body: answer } = await two.client.send('POST', '/auth/end-session', { body });
      expect([status, answer.code]).toEqual([404, 'not_found']);
    }
    expect(await sessionsOf(one.client)).toHaveLength(1);
    expect((await one.client.send('POST', '/auth/end-session', { body: { id } })).status).toBe(200);
    expect((await one.client.send('GET', '/auth/sessions')).status).toBe(401);
  });

  it('are shown to no caller without a session', async () => {
    for (const client of [atHome(server), new Client(server.baseUrl, await server.key())]) {
      expect((await client.send('GET', '/auth/sessions')).body.code).toBe('unauthorized');
    }
    const { cookie } = await signedInByPassword(server);
    const foreign = new Client(server.baseUrl, undefined, { cookie, origin: 'https://evil.example' });
    expect((await foreign.send('GET', '/auth/sessions')).status).toBe(403);
  });
});
