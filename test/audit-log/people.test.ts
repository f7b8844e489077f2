import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { passkeyRoutes } from '../../src/features/users/passkeys/passkey.routes.js';
import { AuthRouter } from '../../src/features/users/sign-in/auth.router.js';
import { gateway, shellCommand } from '../support/shell-command.js';
import { atHome, mailedInvitation, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { AuditWorld } from './audit-world.js';

/** What the paths below `/auth/` change. */
const AUTH: Readonly<Record<string, string>> = {
  options: 'nothing',
  'set-up': 'user.created',
  'invitations/:token': 'user.created',
  'sign-in/email': 'a sign-in is not logged',
  'sign-out': 'ends the own session, by its holder',
  'get-session': 'nothing',
  'change-password': 'user.password_changed',
  'request-password-reset': 'user.password_reset_requested',
  'reset-password/:token': 'user.password_reset',
  sessions: 'nothing',
  'end-session': 'user.sessions_ended',
  'revoke-sessions': 'user.sessions_ended',
  'sign-in/passkey/start': 'nothing',
  'sign-in/passkey': 'a sign-in is not logged',
  passkeys: 'user.passkey_added',
  'passkeys/start': 'nothing',
  'remove-passkey': 'user.passkey_removed',
  'oidc/start': 'nothing',
  'oidc/callback': 'user.identity_linked',
  'oidc/choice': 'user.created',
};

let world: AuditWorld;
beforeAll(async () => {
  world = await AuditWorld.open();
});
afterAll(() => world.close());

const entryOf = async (action: string) => (await world.entries(`&action=${action}`))[0];

describe('changes of people', () => {
  it('are known for each path below /auth', () => {
    const routes = (tools: never) => passkeyRoutes({} as never, tools);
    const { paths } = new AuthRouter({ baseUrl: world.server.baseUrl, passkeyRoutes: routes } as never);
    expect(paths).toEqual(Object.keys(AUTH));
  });

  it('have an entry: invited, joined, renamed and removed', async () => {
    const { client } = world.person;
    const graphql = (query: string, variables = {}) => client.graphql(query, variables);
    await graphql(`
      mutation {
        inviteUser(email: "grace@people.example") {
          id
        }
      }
    `);
    const invited = await entryOf('invitation.created');
    expect(invited).toMatchObject({
      actor: { kind: 'user', name: 'Ada' },
      resource: { type: 'invitation', name: 'grace@people.example' },
      before: null,
      after: null,
    });
    const token = await mailedInvitation(world.server, 'grace@people.example');
    const join = { name: 'Grace', password: PASSWORD };
    await atHome(world.server).send('POST', `/auth/invitations/${token}`, { body: join });
    const joined = await entryOf('user.created');
    expect(joined).toMatchObject({
      actor: { kind: 'user', id: joined.resource.id, name: 'Grace' },
      resource: { type: 'user', name: 'Grace' },
      after: { invitation: invited.resource.id },
    });
    await graphql(
      `
        mutation ($id: ID!) {
          removeUser(id: $id)
        }
      `,
      { id: joined.resource.id },
    );
    expect(await entryOf('user.removed')).toMatchObject({
      actor: { name: 'Ada' },
      resource: { id: joined.resource.id },
    });
    // The id stays; name and address are gone.
    expect(await entryOf('user.created')).toMatchObject({
      actor: { id: joined.resource.id, name: null },
      resource: { name: null },
    });
    const stored = await world.server.db.query(`SELECT 1 FROM audit_log a WHERE a::text ~* 'grace'`);
    expect(stored).toEqual([]);
  });

  it('have an entry: passwords and sessions', async () => {
    const email = await makeUser(world.server, { name: 'Eve' });
    const eve = await signedInByPassword(world.server, { email });
    const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` };
    expect(await world.actionsOf(() => eve.client.send('POST', '/auth/change-password', { body }))).toEqual([
      'user.password_changed',
    ]);
    expect(await entryOf('user.password_changed')).toMatchObject({ actor: { kind: 'user', name: 'Eve' } });
    const all = () => eve.client.send('POST', '/auth/revoke-sessions', { body: {} });
    expect(await world.actionsOf(all)).toEqual(['user.sessions_ended']);
    const signedOut = await world.actionsOf(async () => {
      const again = await signedInByPassword(world.server, {});
      await again.client.send('POST', '/auth/sign-out', { body: {} });
    });
    expect(signedOut).toEqual([]);
    const asked = await world.actionsOf(async () => {
      await atHome(world.server).send('POST', '/auth/request-password-reset', { body: { email } });
      await until(async () => (await world.entries('&action=user.password_reset_requested')).length === 1);
    });
    expect(asked).toEqual(['user.password_reset_requested']);
    expect(await entryOf('user.password_reset_requested')).toMatchObject({ actor: { kind: 'service', id: null } });
  });

  it('have an entry: the first user, by the set-up link', async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    try {
      const token = (await server.newSetUpLink())!.split('/').at(-1);
      const body = { token, name: 'First', email: 'first@people.example', password: PASSWORD };
      expect((await atHome(server).send('POST', '/auth/set-up', { body })).status).toBe(200);
      const rows = await server.db.query(`SELECT action, author_kind, author_id = resource_id AS own FROM audit_log`);
      expect(rows).toEqual([{ action: 'user.created', author_kind: 'user', own: true }]);
    } finally {
      await server.close();
    }
  });
});

/** The verbs of the commands and their entries. */
const COMMANDS = {
  keys: {
    create: 'api_key.created',
    rotate: 'api_key.rotated',
    revoke: 'api_key.revoked',
    list: null,
    encryption: null,
  },
  users: { list: null, invite: 'invitation.created', reset: 'user.password_reset_requested', remove: 'user.removed' },
} as const;

describe('commands of the shell', () => {
  const run = (name: string, ...args: string[]) =>
    shellCommand(
      name,
      { DATABASE_URL: world.server.database.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') },
      args,
    );

  it.each(Object.entries(COMMANDS))('%s are all known here', async (name, verbs) => {
    const { stderr } = await run(name, 'nonsense');
    const usage = stderr.slice(stderr.indexOf(' -- ') + 4);
    expect(usage.split(' | ').map((part) => part.trim().split(' ')[0])).toEqual(Object.keys(verbs));
  });

  it('of workflow-gateway are all known here', async () => {
    const namesIn = async (...path: string[]): Promise<string[]> => {
      const { stdout } = await gateway({}, ...path, '--help');
      const [, listed = ''] = /^Commands:\n((?: {2,}.*\n)+)/m.exec(stdout) ?? [];
      return [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!).sort();
    };
    for (const [name, verbs] of Object.entries(COMMANDS))
      expect(await namesIn(name)).toEqual(Object.keys(verbs).sort());
    // `restore` writes `account.restored`; test/backup checks it. The others change no setting of an account.
    expect(await namesIn()).toEqual(['backup', 'doctor', 'keys', 'move', 'restore', 'start', 'users']);
  });

  it('of workflow-gateway write entries by the command too', async () => {
    const env = { DATABASE_URL: world.server.database.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
    const args = ['keys', 'create', '--label', 'by gateway', '--scope', 'read-only', '--account', 'default'];
    expect((await gateway(env, ...args)).status).toBe(0);
    expect((await entryOf('api_key.created')).actor).toEqual({ kind: 'command', id: null, name: 'keys create' });
    await gateway(env, 'users', 'invite', 'gateway@people.example', '--account', 'default');
    expect((await entryOf('invitation.created')).actor).toMatchObject({ kind: 'command', name: 'users invite' });
  });

  it('write entries by the command, without an address', async () => {
    const created = await run('keys', 'create', '--label', 'by hand', '--scope', 'read-only', '--account', 'default');
    expect(created.stderr).toBe('');
    const entry = await entryOf('api_key.created');
    expect(entry).toMatchObject({
      actor: { kind: 'command', id: null, name: 'keys create' },
      resource: { type: 'api_key', name: 'by hand' },
      address: null,
      after: { label: 'by hand', scope: 'read-only', expires_at: null, revoked_at: null },
    });
    await run('keys', 'rotate', entry.resource.id);
    await run('keys', 'revoke', entry.resource.id);
    await run('users', 'invite', 'new@people.example', '--account', 'default');
    const email = await makeUser(world.server);
    await run('users', 'reset', email);
    await run('users', 'remove', email);
    const isLater = ({ id }: { id: string }) => id >= entry.id;
    const byCommand = (await world.entries()).filter((one) => one.actor.kind === 'command' && isLater(one));
    expect(byCommand.map(({ action, actor }) => [actor.name, action]).reverse()).toEqual([
      ['keys create', 'api_key.created'],
      ['keys rotate', 'api_key.rotated'],
      ['keys rotate', 'api_key.created'],
      ['keys revoke', 'api_key.revoked'],
      ['users invite', 'invitation.created'],
      ['users reset', 'user.password_reset_requested'],
      ['users remove', 'user.removed'],
    ]);
  });
});
