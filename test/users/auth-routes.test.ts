import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { betterAuth } from 'better-auth/minimal';
import { currentWork } from '../../src/platform/admission/work.js';
import { passkeyRoutes } from '../../src/features/users/passkeys/passkey.routes.js';
import { AuthRouter } from '../../src/features/users/sign-in/auth.router.js';
import { Client } from '../support/http/client.js';
import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { StillClock } from '../support/clock.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What `/auth` answers, and with which method; all else is closed. */
const OPEN = {
  options: 'GET',
  'set-up': 'POST',
  'invitations/:token': 'GET, POST',
  'sign-in/email': 'POST',
  'sign-out': 'POST',
  'get-session': 'GET',
  'change-password': 'POST',
  'request-password-reset': 'POST',
  'reset-password/:token': 'GET, POST',
  sessions: 'GET',
  'end-session': 'POST',
  'revoke-sessions': 'POST',
  'sign-in/passkey/start': 'POST',
  'sign-in/passkey': 'POST',
  passkeys: 'GET, POST',
  'passkeys/start': 'POST',
  'remove-passkey': 'POST',
  'oidc/start': 'GET',
  'oidc/callback': 'GET',
  'oidc/choice': 'GET, POST',
};

/** Every endpoint that the library would answer. */
const known = Object.values(betterAuth({ baseURL: 'http://localhost', secret: 'x'.repeat(32) }).api as object)
  .map(({ path, options }: any) => ({
    path: path as string | undefined,
    methods: [options?.method].flat() as string[],
  }))
  .filter(({ path }) => path !== undefined);

describe('the routes below /auth', () => {
  it('are these', () => {
    const routes = (tools: never) => passkeyRoutes({} as never, tools);
    expect(new AuthRouter({ baseUrl: server.baseUrl, passkeyRoutes: routes } as never).paths).toEqual(
      Object.keys(OPEN),
    );
  });

  it('use the database in the name of the client’s network, and not of the workers', async () => {
    const parties: string[] = [];
    const isNeeded = async () => (parties.push(currentWork().party), false);
    const router = new AuthRouter({
      baseUrl: server.baseUrl,
      passkeyRoutes: () => ({}),
      passwords: { of: (_address: string, work: () => Promise<object>) => work() },
      setUp: { isNeeded },
      clientOf: () => '192.0.2.0/24',
      proxies: 0,
    } as never);
    const http = createServer((request, response) => void router.handle(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/auth/options`);
    expect([answer.status, parties]).toEqual([200, ['sign-in of 192.0.2.0/24']]);
    http.closeAllConnections();
    http.close();
  });

  it('expose no other endpoint of the library to any caller', async () => {
    expect(known.length).toBeGreaterThan(20);
    const { client } = await signedInByPassword(server);
    let closed = 0;
    for (const { path, methods } of known) {
      if (path!.slice(1) in OPEN) continue;
      for (const spelled of [path!, `${path!}/`, path!.replace(/^\//, '/%2e/'), `/.${path!}`, `/x/..${path!}`]) {
        for (const method of methods) {
          const body = method === 'GET' ? {} : { body: { email: 'new@people.example', password: PASSWORD, name: 'x' } };
          const answer = await client.send(method, `/auth${spelled}`, body);
          // A client's own tidying of a path may lead it to one that is open to another method.
          expect([method, spelled, answer.status]).toEqual([method, spelled, 404]);
          closed += 1;
        }
      }
    }
    expect(closed).toBeGreaterThan(100);
    expect(await server.db.query(`SELECT 1 FROM users WHERE email = 'new@people.example'`)).toEqual([]);
  });

  it.each(Object.entries(OPEN))('%s takes %s alone', async (path, allowed) => {
    const address = `/auth/${path.replace(':token', 'x'.repeat(43))}`;
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      if (allowed.split(', ').includes(method)) continue;
      const { status, headers, body } = await atHome(server).send(method, address);
      expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allowed]);
    }
  });

  it.each(Object.entries(OPEN).filter(([, methods]) => methods.includes('POST')))(
    '%s takes no POST from another origin, or from none',
    async (path) => {
      const address = `/auth/${path.replace(':token', 'x'.repeat(43))}`;
      for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[]) {
        const answer = await new Client(server.baseUrl, undefined, headers).send('POST', address, { body: {} });
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  it.each([
    'set-up',
    'sign-in/email',
    'change-password',
    `invitations/${'x'.repeat(43)}`,
    'request-password-reset',
    `reset-password/${'x'.repeat(43)}`,
    'sign-in/passkey',
    'passkeys',
    'passkeys/start',
    'remove-passkey',
  ])('%s takes a JSON object alone, of ordinary size, and texts in it', async (path) => {
    const { client } = await signedInByPassword(server);
    const ask = async (body: unknown, headers = {}) =>
      (await client.send('POST', `/auth/${path}`, { body, headers })).body.code as string;
    expect(await ask('[]')).toBe('invalid_json');
    expect(await ask('{')).toBe('invalid_json');
    expect(await ask('email=a', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(
      'unsupported_media_type',
    );
    expect(await ask({ password: 'x'.repeat(110_000) })).toBe('payload_too_large');
    const odd = { email: {}, password: ['x'], name: 1, token: { $ne: 1 }, currentPassword: null, newPassword: 7 };
    expect(await ask(odd)).toMatch(/validation_error|not_found/);
    const nul = { email: 'a\0@x.example', password: '\0'.repeat(12), name: '\0', token: '\0', currentPassword: '\0' };
    expect(await ask(nul)).toMatch(/validation_error|not_found/);
  });
});

describe('a sign-in', () => {
  const attempt = async (of: TestServer, email: string, password: string) =>
    atHome(of).send('POST', '/auth/sign-in/email', { body: { email, password } });

  it('answers the same for a wrong password and for an unknown address', async () => {
    const email = await makeUser(server);
    const answers = [
      await attempt(server, email, 'wrong password'),
      await attempt(server, 'nobody@people.example', 'wrong password'),
      await attempt(server, 'nobody@localhost', 'wrong password'),
      await attempt(server, email, 'x'.repeat(500)),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([
        JSON.stringify([401, { code: 'unauthorized', message: 'The email address or the password is wrong.' }]),
      ]),
    );
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([]);
  });

  it('takes as much work for an unknown address', async () => {
    const email = await makeUser(server);
    const cost = async (address: string): Promise<number> => {
      const started = process.cpuUsage();
      for (let i = 0; i < 5; i += 1) await attempt(server, address, 'wrong password');
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    await cost(email);
    // The cheapest of three each: other work of the process costs CPU time too.
    const least = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 3; round += 1) {
      least.known = Math.min(least.known, await cost(email));
      least.unknown = Math.min(least.unknown, await cost('nobody@people.example'));
    }
    // Without the hash it would be a tenth.
    expect(least.unknown / least.known).toBeGreaterThan(0.5);
    expect(least.unknown / least.known).toBeLessThan(2);
  });

  it('takes the address in any case', async () => {
    const email = await makeUser(server);
    expect((await attempt(server, email.toUpperCase(), PASSWORD)).status).toBe(200);
  });

  it('writes neither password nor token to the log', async () => {
    const { cookie, email } = await signedInByPassword(server);
    await attempt(server, email, 'hunter2 hunter2');
    const log = server.logs.join('');
    expect(log).not.toContain(PASSWORD);
    expect(log).not.toContain('hunter2');
    expect(log).not.toContain(decodeURIComponent(cookie).replace(/^.*?=/, '').split('.')[0]);
  });
});

describe('attempts', () => {
  let limited: TestServer;

  beforeAll(async () => {
    limited = await startTestServer({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' }, clock: new StillClock() });
  });
  afterAll(() => limited.close());

  const attempt = async (email: string, password: string, from = '203.0.113.9', cookie?: string) => {
    const headers = { origin: limited.baseUrl, 'x-forwarded-for': `10.0.0.1, ${from}`, ...(cookie && { cookie }) };
    return new Client(limited.baseUrl, undefined, headers).send('POST', '/auth/sign-in/email', {
      body: { email, password },
    });
  };

  const ofPerson = Array.from({ length: 10 }, () => 401);

  it('are limited for one person from one network for a time; the person can sign in elsewhere', async () => {
    const email = await makeUser(limited);
    const statuses = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await attempt(email, 'wrong password', '198.51.100.7')).status);
    expect(statuses).toEqual([...ofPerson, 429, 429]);
    // The right password too: otherwise guessing would go on.
    const refused = await attempt(email, PASSWORD, '198.51.100.7');
    expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'rate_limited',
      true,
    ]);
    expect((await attempt(email, PASSWORD, '198.51.100.99')).status).toBe(200);
    const other = await makeUser(limited);
    expect((await attempt(other, PASSWORD, '198.51.100.7')).status).toBe(200);
    await limited.advance(30_000);
    expect((await attempt(email, PASSWORD, '198.51.100.7')).status).toBe(200);
  });

  it('are limited for one person over all networks, except in a browser where the person signed in before', async () => {
    const email = await makeUser(limited);
    const known = cookieOf((await attempt(email, PASSWORD, '192.0.2.7')).headers);
    for (let i = 0; i < 100; i += 1) {
      expect([i, (await attempt(email, 'wrong password', `198.18.0.${i}`)).status]).toEqual([i, 401]);
    }
    expect((await attempt(email, PASSWORD, '198.18.0.100')).status).toBe(429);
    // The browser is known wherever it is, and to its own person alone.
    const other = await makeUser(limited);
    for (let i = 0; i < 100; i += 1) await attempt(other, 'wrong password', `198.18.1.${i}`);
    expect((await attempt(other, PASSWORD, '192.0.2.8', known)).status).toBe(429);
    expect((await attempt(email, PASSWORD, '192.0.2.8', known)).status).toBe(200);
    // Guesses in it are counted for it alone.
    const statuses = [];
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await attempt(email, 'wrong password', `192.0.2.${i}`, known)).status);
    }
    expect(statuses).toEqual([...ofPerson, 429]);
  });

  it('are limited for one person over all browsers where the person signed in before; elsewhere it still works', async () => {
    const email = await makeUser(limited);
    const browsers: string[] = [];
    while (browsers.length < 3) browsers.push(cookieOf((await attempt(email, PASSWORD, '192.0.2.70')).headers));
    // Too long for a password, so that none is verified.
    const guess = (browser: string) => attempt(email, 'x'.repeat(200), '192.0.2.70', browser);
    const statuses = [];
    for (const browser of browsers) {
      for (let i = 0; i < 7; i += 1) statuses.push((await guess(browser)).status);
    }
    expect(statuses).toEqual([...ofPerson, ...ofPerson, 429]);
    expect((await attempt(email, PASSWORD, '192.0.2.70')).status).toBe(200);
  });

  it('are limited from one address, as the trusted proxy saw it, also for links', async () => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 60) {
      statuses.push((await attempt(`nobody${statuses.length}@people.example`, 'wrong password')).status);
    }
    expect([statuses.at(-1), statuses.length > 30]).toEqual([429, true]);
    const page = new Client(limited.baseUrl, undefined, {
      origin: limited.baseUrl,
      'x-forwarded-for': '198.51.100.1, 203.0.113.9',
    });
    const links = [
      await page.send('GET', `/auth/invitations/${'x'.repeat(43)}`),
      await page.send('POST', '/auth/set-up', { body: { token: 'x' } }),
    ];
    expect(links.map(({ status }) => status)).toEqual([429, 429]);
    expect((await attempt('nobody@people.example', 'wrong password', '203.0.113.10')).status).toBe(401);
  });

  it('are limited from one IPv6 network, in which a client has many addresses', async () => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 60) {
      const from = `2001:db8:0:7::${(statuses.length + 1).toString(16)}`;
      statuses.push((await attempt(`nobody${statuses.length}@people.example`, 'wrong password', from)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await attempt('nobody@people.example', 'wrong password', '2001:db8:0:8::1')).status).toBe(401);
  });

  it('to mail invitations to one address are limited, for an account and for all together', async () => {
    const INVITE = 'mutation ($email: String!) { inviteUser(email: $email) { id } }';
    const people = await Promise.all(['a', 'b', 'c', 'd'].map((account) => signedInByPassword(limited, { account })));
    const invite = async (by: number, email: string): Promise<string> => {
      const { body } = await people[by]!.client.graphql(INVITE, { email });
      return body.errors === undefined ? 'invited' : `${body.errors[0].extensions.code}: ${body.errors[0].message}`;
    };
    const victim = 'Victim@people.example';
    const refused = (minutes: number) =>
      `RATE_LIMITED: This address was invited too often. Try again in ${minutes} min.`;
    // An attempt refused for another reason reaches no person.
    for (let i = 0; i < 5; i += 1) expect(await invite(0, people[0]!.email)).toMatch(/^CONFLICT/);
    for (let i = 0; i < 3; i += 1) expect(await invite(0, victim)).toBe('invited');
    expect(await invite(0, victim.toLowerCase())).toBe(refused(20));
    expect(await invite(0, 'other@people.example')).toBe('invited');
    for (const by of [1, 2]) for (let i = 0; i < 3; i += 1) expect(await invite(by, victim)).toBe('invited');
    expect([await invite(3, victim), await invite(3, victim)]).toEqual(['invited', refused(6)]);
    const mails = await limited.db.query(`SELECT 1 AS one FROM mails WHERE recipients = ARRAY[$1]`, [
      victim.toLowerCase(),
    ]);
    expect(mails).toHaveLength(10);
    await limited.advance(20 * 60_000);
    expect(await invite(0, victim)).toBe('invited');
  });

  it('that succeed count for nothing', async () => {
    const email = await makeUser(limited);
    for (let i = 0; i < 15; i += 1) expect((await attempt(email, PASSWORD, '192.0.2.1')).status).toBe(200);
  });
});
