import { readFileSync } from 'node:fs';
import { startTestServer, type TestServer } from '../support/server.js';
import { gateway } from '../support/shell-command.js';

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = {
    DATABASE_URL: server.database.url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    BASE_URL: server.baseUrl,
  };
});
afterAll(() => server.close());

const lines = (text: string) => text.trimEnd().split('\n');

describe('the command workflow-gateway', () => {
  it('prints its version and describes itself and each subcommand, with status 0', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await gateway({}, '--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    const { status, stdout } = await gateway({}, '--help');
    expect(status).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)(?: \[.*?\]| <.*?>)* {2}/gm)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(['start', 'keys', 'users']));
    for (const name of names) {
      const help = await gateway({}, name, '--help');
      expect([name, help.status, help.stderr]).toEqual([name, 0, '']);
      expect(help.stdout).toMatch(new RegExp(`^Usage: workflow-gateway ${name} `));
    }
  });

  it.each([
    [[]],
    [['nonsense']],
    [['keys']],
    [['keys', 'nonsense']],
    [['keys', 'create', '--label', 'x']],
    [['keys', 'create', '--label', 'x', '--scope', 'everything']],
    [['keys', 'create', '--label', 'x', '--scope', 'read-only', '--expires-at', '2001-01-01']],
    [['keys', 'list', '--nonsense']],
    [['keys', 'list', 'superfluous']],
    [['users', 'invite']],
    [['users', 'invite', 'no address']],
  ])('ends with 2 for wrong use: %j', async (args) => {
    const { status, stdout, stderr } = await gateway(env, ...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/error: |Usage: /);
  });

  it('ends with 78 and all errors of the configuration', async () => {
    const { status, stdout, stderr } = await gateway({ ...env, PORT: 'x', ROLES: 'x' }, 'keys', 'list');
    expect([status, stdout, lines(stderr).length]).toEqual([78, '', 3]);
    expect(stderr).toMatch(/PORT: .*\n {2}ROLES: /);
  });

  it('ends with 1 and one line when it fails', async () => {
    const { status, stdout, stderr } = await gateway(env, 'users', 'reset', 'unknown@people.example');
    expect([status, stdout, stderr]).toEqual([1, '', 'error: no user has the address unknown@people.example\n']);
  });

  it('creates, lists and revokes keys: tables for people, one object a line with --json', async () => {
    const create = ['keys', 'create', '--label', 'a\u0007b', '--scope', 'read-only'];
    const plain = await gateway(env, ...create);
    expect([plain.status, plain.stdout]).toEqual([0, expect.stringMatching(/^wfk_\w{38}\n$/)]);
    const asJson = await gateway(env, ...create, '--account', 'other', '--json');
    expect(JSON.parse(asJson.stdout)).toEqual({ key: expect.stringMatching(/^wfk_\w{38}$/) });
    const table = lines((await gateway(env, 'keys', 'list')).stdout);
    expect(table[0]).toMatch(/^ID +ACCOUNT +LABEL +SCOPE +STATUS +LAST FOUR +CREATED AT/);
    expect(table.slice(1)).toEqual([
      expect.stringMatching(/^key_\w{26} +default +a\\u0007b +read-only +active +/),
      expect.stringMatching(/^key_\w{26} +other +/),
    ]);
    const [row] = lines((await gateway(env, 'keys', 'list', '--account', 'other', '--json')).stdout);
    const { id, account, label } = JSON.parse(row!) as Record<string, string>;
    expect([account, label]).toEqual(['other', 'a\u0007b']);
    expect(await gateway(env, 'keys', 'revoke', id!)).toEqual({ status: 0, stdout: '', stderr: '' });
    const after = await gateway(env, 'keys', 'list', '--account', 'other');
    expect(after.stdout).toContain('revoked');
  });

  it('prints nothing for an empty list, and a link that invites', async () => {
    expect(await gateway(env, 'users', 'list')).toEqual({ status: 0, stdout: '', stderr: '' });
    const { stdout } = await gateway(env, 'users', 'invite', 'ada@people.example', '--json');
    const { link } = JSON.parse(stdout) as { link: string };
    expect(link).toContain(`${server.baseUrl}/invitations/`);
  });
});
