import { proveAddress } from '../../../src/features/users/unproven-user.js';
import { type Client } from '../../support/http/client.js';
import { StillClock } from '../../support/clock.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { atHome, PASSWORD, signedInByPassword } from '../../support/worlds/people.js';
import { finishSignIn, signInWith, startPasskey, startSignIn, withPasskey } from './passkey-people.js';
import { SoftPasskey, type Twist } from './soft-passkey.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const REFUSED = [401, 'unauthorized', 'This passkey does not sign you in here. Try again, or use your password.'];
const said = ({ status, body }: { status: number; body: any }) => [status, body.code, body.message];
const sessionsOf = async (email: string): Promise<number> => {
  const of = `SELECT count(*)::int AS count FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`;
  return (await server.db.query<{ count: number }>(of, [email]))[0]!.count;
};

describe('a sign-in by passkey is refused', () => {
  it.each<[string, Twist]>([
    ['signed for another origin', { origin: 'https://evil.example' }],
    ['signed for another port of the host', { origin: 'http://localhost:1' }],
    ['signed for another host', { host: 'evil.example' }],
    ['signed without a check of the person', { verified: false }],
    ['that names another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
    ['that names no user', { userHandle: '' }],
    ['signed as the creation of a passkey', { type: 'webauthn.create' }],
    ['signed for a challenge of another service', { challenge: 'A'.repeat(75) }],
    ['signed for no challenge', { challenge: '' }],
  ])('%s', async (_, twist) => {
    const { passkey, email } = await withPasskey(server);
    expect(said(await signInWith(server, passkey, twist))).toEqual(REFUSED);
    expect(await sessionsOf(email)).toBe(1);
    expect((await signInWith(server, passkey)).status).toBe(200);
  });

  it('sent a second time, also at the same time', async () => {
    const { passkey, email } = await withPasskey(server);
    const response = passkey.get(await startSignIn(server));
    const answers = await Promise.all([1, 2, 3, 4].map(() => finishSignIn(server, response)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect(said(await finishSignIn(server, response))).toEqual(REFUSED);
    expect(await sessionsOf(email)).toBe(2);
  });

  it('with a challenge older than five minutes', async () => {
    const { passkey } = await withPasskey(server);
    const response = passkey.get(await startSignIn(server));
    await server.advance(5 * 60_000);
    expect(said(await finishSignIn(server, response))).toEqual(REFUSED);
  });

  it('with the challenge of a new passkey, and the reverse', async () => {
    const { passkey, client } = await withPasskey(server);
    const { challenge } = await startPasskey(client);
    expect(said(await signInWith(server, passkey, { challenge }))).toEqual(REFUSED);
    const other = new SoftPasskey(server.baseUrl);
    const forSignIn = (await startSignIn(server)).challenge as string;
    const response = other.create(await startPasskey(client), { challenge: forSignIn });
    expect((await client.send('POST', '/auth/passkeys', { body: { name: 'x', response } })).status).toBe(400);
  });

  it('with a counter that does not grow, as of a copied device', async () => {
    const { passkey } = await withPasskey(server);
    expect((await signInWith(server, passkey, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0]) expect(said(await signInWith(server, passkey, { counter }))).toEqual(REFUSED);
    expect((await signInWith(server, passkey, { counter: 8 })).status).toBe(200);
  });

  it('by the key of another user under the id of a passkey', async () => {
    const [victim, thief] = [await withPasskey(server), await withPasskey(server)];
    const response = {
      ...thief.passkey.get(await startSignIn(server)),
      id: victim.passkey.id,
      rawId: victim.passkey.id,
    };
    expect(said(await finishSignIn(server, response))).toEqual(REFUSED);
  });

  it('after its person deleted it, which no other user can do', async () => {
    const { passkey, client } = await withPasskey(server);
    const [{ id }] = (await client.send('GET', '/auth/passkeys')).body.passkeys;
    const remove = async (by: Client, given: unknown) =>
      (await by.send('POST', '/auth/remove-passkey', { body: { id: given } })).status;
    const { client: other } = await signedInByPassword(server);
    expect([await remove(other, id), await remove(client, 'pk_none'), await remove(client, 7)]).toEqual([
      404, 404, 404,
    ]);
    const response = passkey.get(await startSignIn(server));
    expect([await remove(client, id), await remove(client, id)]).toEqual([200, 404]);
    expect(said(await finishSignIn(server, response))).toEqual(REFUSED);
  });

  it('after another person has proven the address of its user', async () => {
    const { passkey, email } = await withPasskey(server);
    const [user] = await server.db.query<{ id: string }>(
      `UPDATE users SET email_verified = false WHERE email = $1 RETURNING id`,
      [email],
    );
    await server.db.transaction((tx) =>
      proveAddress(tx, { publish: async () => undefined } as never, user!.id, server.clock.now()),
    );
    expect(said(await signInWith(server, passkey))).toEqual(REFUSED);
  });

  it('with any other body', async () => {
    const { passkey } = await withPasskey(server);
    const good = passkey.get(await startSignIn(server)) as any;
    const bodies = [
      { ...good, id: 'x'.repeat(3_000) },
      { ...good, id: {} },
      { ...good, response: undefined },
      { ...good, response: { ...good.response, clientDataJSON: 'bnVsbA' } },
      { ...good, response: { ...good.response, authenticatorData: '' } },
      { ...good, response: { ...good.response, signature: [1] } },
      {},
    ];
    for (const body of bodies) expect(said(await finishSignIn(server, body))).toEqual(REFUSED);
    for (const body of [null, 'x', 7, undefined]) expect((await finishSignIn(server, body)).status).toBe(400);
  });
});

describe('wrong passkeys', () => {
  let limited: TestServer;
  beforeAll(async () => {
    limited = await startTestServer({ env: { RATE_LIMITS: 'on' }, clock: new StillClock() });
  });
  afterAll(() => limited.close());

  it('are limited by the network of the client; right ones are not counted', async () => {
    const { passkey } = await withPasskey(limited);
    for (let count = 0; count < 3; count += 1) expect((await signInWith(limited, passkey)).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await finishSignIn(limited, { id: 'AAAA' })).status);
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([30, 429]);
    expect((await signInWith(limited, passkey)).status).toBe(429);
  });
});

const add = async (client: Client, response: unknown) =>
  (await client.send('POST', '/auth/passkeys', { body: { name: 'x', response } })).body;

describe('a new passkey is refused', () => {
  it.each<[string, Twist]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['without a check of the person', { verified: false }],
    ['signed as a sign-in', { type: 'webauthn.get' }],
    ['for a challenge of another service', { challenge: 'A'.repeat(75) }],
  ])('%s', async (_, twist) => {
    const { client } = await signedInByPassword(server);
    const response = new SoftPasskey(server.baseUrl).create(await startPasskey(client), twist);
    expect(await add(client, response)).toMatchObject({ code: 'validation_error', details: [{ field: 'response' }] });
  });

  it('with a longer id than WebAuthn allows', async () => {
    const { client } = await signedInByPassword(server);
    const create = async (bytes: number) =>
      add(client, new SoftPasskey(server.baseUrl, bytes).create(await startPasskey(client)));
    expect([(await create(1_024)).code, (await create(4_000)).code]).toEqual(['validation_error', 'validation_error']);
    expect(await create(1_023)).toEqual({});
  });

  it('in another session than that which gave the password', async () => {
    const { client, email } = await signedInByPassword(server);
    const { client: stolen } = await signedInByPassword(server, { email });
    const response = new SoftPasskey(server.baseUrl).create(await startPasskey(client));
    expect((await add(stolen, response)).code).toBe('validation_error');
  });

  it('that another user has', async () => {
    const { passkey } = await withPasskey(server);
    const { client } = await signedInByPassword(server);
    expect(await add(client, passkey.create(await startPasskey(client)))).toMatchObject({ code: 'conflict' });
  });

  it('with certificates, before the library reads them', async () => {
    const { client } = await signedInByPassword(server);
    const bytes = Uint8Array.from([0x30, 0]);
    const formats = ['packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple', 'none'];
    for (const format of formats) {
      const statement = new Map<string, unknown>([
        ['x5c', [bytes]],
        ['sig', bytes],
        ['alg', -7],
      ]);
      const response = new SoftPasskey(server.baseUrl).create(await startPasskey(client), {}, [format, statement]);
      expect((await add(client, response)).code).toBe('validation_error');
    }
    const refusals = server.logs.filter((line) => line.includes('The attestation has certificates'));
    expect(refusals).toHaveLength(formats.length);
  });

  it('by callers without a session', async () => {
    for (const path of ['passkeys', 'passkeys/start', 'remove-passkey']) {
      const { status } = await atHome(server).send('POST', `/auth/${path}`, { body: { password: PASSWORD } });
      expect([path, status]).toEqual([path, 401]);
    }
    expect((await atHome(server).send('GET', '/auth/passkeys')).status).toBe(401);
  });
});

describe('a new passkey', () => {
  it('keeps only transports that WebAuthn names', async () => {
    const { client } = await signedInByPassword(server);
    for (const transports of ['usb', { usb: 1 }, ['a\0', {}, 'usb', 7], [['usb']]]) {
      const twist = { transports };
      expect(await add(client, new SoftPasskey(server.baseUrl).create(await startPasskey(client), twist))).toEqual({});
    }
    const { excludeCredentials } = await startPasskey(client);
    expect(excludeCredentials.flatMap(({ transports }: any) => transports)).toEqual(['usb']);
  });
});
