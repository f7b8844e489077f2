import { isKeyText } from '../../src/features/api-keys/key-text.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { openSocket } from './connections.js';
import { statusWith } from './key-world.js';
import { keysCommand } from './keys-command.js';
import { until } from '../support/until.js';

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = { DATABASE_URL: server.database.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
});
afterAll(() => server.close());

const keys = (...args: string[]) => keysCommand(env, ...args);

/** The single line of stdout of a command, which must succeed and print nothing else. */
async function line(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await keys(...args);
  expect([status, stderr, stdout.endsWith('\n')]).toEqual([0, '', true]);
  expect(stdout.trimEnd()).not.toContain('\n');
  return stdout.trimEnd();
}

async function list(...args: string[]): Promise<Record<string, unknown>[]> {
  const { status, stdout, stderr } = await keys('list', ...args);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Record<string, unknown>]));
}

describe('the keys command beside a running service', () => {
  it('creates, lists, rotates and revokes keys, with immediate effect in the service', async () => {
    const secret = await line('create', '--label', 'ci', '--scope', 'read-write');
    expect([isKeyText(secret), await statusWith(server, secret)]).toEqual([true, 200]);

    const [listed] = await list();
    expect(Object.keys(listed!)).toEqual([
      'id',
      'account',
      'label',
      'scope',
      'status',
      'last_four',
      'created_at',
      'last_used_at',
      'expires_at',
    ]);
    expect(listed).toMatchObject({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      account: 'default',
      label: 'ci',
      scope: 'read-write',
      status: 'active',
      last_four: secret.slice(-4),
      last_used_at: expect.stringMatching(/Z$/),
      expires_at: null,
    });

    const rotated = await line('rotate', listed!.id as string);
    expect([await statusWith(server, secret), await statusWith(server, rotated)]).toEqual([200, 200]);
    const [made, old] = await list('--account', 'default');
    expect(made).toMatchObject({ label: 'ci', scope: 'read-write', status: 'active', last_four: rotated.slice(-4) });
    const overlap = Date.parse(old!.expires_at as string) - Date.now();
    expect(Math.abs(overlap - 24 * 3_600_000)).toBeLessThan(60_000);

    const socket = await openSocket(server, rotated);
    expect(await keys('revoke', made!.id as string)).toEqual({ status: 0, stdout: '', stderr: '' });
    await until(async () => (await statusWith(server, rotated)) === 401);
    await until(() => socket.closed !== undefined);
    expect(socket.closed).toBe(4403);
    expect((await list()).map(({ status }) => status)).toEqual(['revoked', 'active']);
  });

  it('ends the old key at once with --overlap 0h', async () => {
    const secret = await line('create', '--label', 'short', '--scope', 'read-only');
    expect(await statusWith(server, secret)).toBe(200);
    const { id } = (await list()).find(({ label }) => label === 'short')!;
    const rotated = await line('rotate', id as string, '--overlap', '0h');
    await until(async () => (await statusWith(server, secret)) === 401);
    expect(await statusWith(server, rotated)).toBe(200);
  });

  it('creates a new account, and lists each account separately', async () => {
    const secret = await line('create', '--label', 'x', '--scope', 'read-only', '--account', 'Fresh & Co');
    expect(await statusWith(server, secret)).toBe(200);
    expect(await list('--account', 'Fresh & Co')).toMatchObject([{ account: 'Fresh & Co', scope: 'read-only' }]);
    expect((await list()).map(({ account }) => account)).toContain('default');
  });

  it('creates a key with an expiry, and shows when it has expired', async () => {
    await line(
      'create',
      '--label',
      'ends',
      '--scope',
      'read-only',
      '--expires-at',
      new Date(Date.now() + 60_000).toISOString(),
    );
    await server.db.query(`UPDATE api_keys SET expires_at = now() WHERE label = 'ends'`);
    expect((await list()).find(({ label }) => label === 'ends')).toMatchObject({ status: 'expired' });
  });
});

describe('an error of the keys command', () => {
  it.each([
    [[], 'usage: '],
    [['--help'], 'usage: '],
    [['create'], '--scope must be'],
    [['create', '--scope', 'read-only', '--label', ''], '--label must not be empty'],
    [['create', '--scope', 'read-only', '--label', 'x', '--expires-at', '2001-01-01'], '--expires-at must be'],
    [['create', '--scope', 'read-only', '--label', 'x', '--unknown'], "Unknown option '--unknown'"],
    [['create', 'x', 'y'], 'unexpected "y"'],
    [['rotate', 'nonsense'], 'No such API key.'],
    [['rotate', 'key_01h455vb4pex5vsknk084sn02q', '--overlap', '721h'], '--overlap must be'],
    [['revoke', 'key_01h455vb4pex5vsknk084sn02q'], 'No such API key.'],
    [['list', '--account', 'nobody'], 'no account is called "nobody"'],
  ])('is one line on stderr and status 1: %j', async (args, message) => {
    const { status, stdout, stderr } = await keys(...args);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^keys: [^\n]+\n$/)]);
    expect(stderr).toContain(message);
  });

  it('is one line even if the configuration has many errors, or the database is away', async () => {
    const wrongs: Record<string, string>[] = [
      { PORT: 'x', DATABASE_URL: 'y' },
      { ...env, DATABASE_URL: 'postgres://localhost:1/x' },
      { ...env, DATABASE_URL: env.DATABASE_URL!.replace(/\/[^/]*$/, '/no_such_database') },
    ];
    for (const wrong of wrongs) {
      const { status, stdout, stderr } = await keysCommand(wrong, 'list');
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^keys: [^\n]{10,}\n$/)]);
      expect(stderr).not.toContain(new URL(env.DATABASE_URL!).password || 'no password');
    }
  });
});
