import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountService } from '../../src/features/accounts/account.service.js';
import { ApiKeyService } from '../../src/features/api-keys/api-key.service.js';
import { InvitationService } from '../../src/features/users/invitations/invitation.service.js';
import { UserService } from '../../src/features/users/user.service.js';
import { WebhookService } from '../../src/features/webhooks/webhook.service.js';
import { RequestContext } from '../../src/platform/context.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { ActionWorld } from '../support/worlds/action-world.js';

let world: ActionWorld;
let notifications: Notifications;
let outbound: ReturnType<typeof createOutbound>;
beforeAll(async () => {
  world = await ActionWorld.open();
  notifications = new Notifications(world.url, createLogger('silent'));
  await notifications.start();
  outbound = createOutbound({ allowPrivateNetwork: true, allowLoopback: true, userAgent: 'test' });
});
afterAll(async () => {
  await outbound.close();
  await notifications.stop();
  await world.close();
});

/** The statements of a change, and the actions that it wrote. Those that begin and end a transaction are not counted. */
async function costOf(change: () => Promise<unknown>): Promise<[statements: number, actions: string[]]> {
  const entries = 'SELECT action FROM audit_log ORDER BY id';
  const before = (await world.db.query(entries)).length;
  const statements = world.db.statements;
  await change();
  const sent = world.db.statements - statements;
  return [sent, (await world.db.query<{ action: string }>(entries)).slice(before).map(({ action }) => action)];
}

/** A person of the account. */
async function person(): Promise<RequestContext> {
  const { accountId } = world.context;
  const userId = newUuid(world.clock.now());
  await world.db.query(
    `INSERT INTO users (id, account_id, email, name, created_at, updated_at) VALUES ($1, $2, $3, 'Ada', now(), now())`,
    [userId, accountId, `${userId}@people.example`],
  );
  return new RequestContext('test', { kind: 'person', accountId, userId } as RequestContext['caller']);
}

describe('an entry in the audit log', () => {
  it('costs changes of a workflow no statement', async () => {
    const { context, workflows } = world;
    const { id } = await world.workflow();
    const create = () => workflows.create(context, { name: 'x', status: 'draft' });
    expect(await costOf(create)).toEqual([1, ['workflow.created']]);
    expect(await costOf(() => workflows.update(context, id, { name: 'y' }))).toEqual([1, ['workflow.updated']]);
    expect(await costOf(() => world.set({ id }, []))).toEqual([2, ['workflow.actions_updated']]);
  });

  it('costs changes of a key no statement', async () => {
    const { accountId } = world.context;
    const keys = new ApiKeyService(world.db, world.clock, notifications);
    const settings = { label: 'k', scope: 'read-only' } as const;
    const { apiKey } = await keys.create(accountId, settings);
    // The lock of the account, which counts its keys, and the key.
    expect(await costOf(() => keys.create(accountId, settings))).toEqual([2, ['api_key.created']]);
    // The lock of the key, its end, and those of a new key.
    const rotated = ['api_key.rotated', 'api_key.created'];
    expect(await costOf(() => keys.rotate(accountId, apiKey.id, 1))).toEqual([4, rotated]);
    expect(await costOf(() => keys.rotate(accountId, apiKey.id, 0))).toEqual([4, rotated]);
    const { apiKey: other } = await keys.create(accountId, settings);
    expect(await costOf(() => keys.revoke(accountId, other.id))).toEqual([2, ['api_key.revoked']]);
  });

  it('costs settings, names and the revocation of an invitation no statement', async () => {
    const accounts = new AccountService(world.db, world.clock);
    const ada = await person();
    expect(await costOf(() => accounts.update(ada, { eventLog: false }))).toEqual([1, ['account.updated']]);
    const users = new UserService(world.db, world.clock, notifications);
    expect(await costOf(() => users.rename(ada, 'Ada L.'))).toEqual([1, ['user.updated']]);
    const invitations = new InvitationService(world.db, world.clock, {} as never, 'http://x', {} as never);
    const { id } = await invitations.make(world.db, ada.accountId, 'grace@people.example');
    expect(await costOf(() => invitations.revoke(ada, id))).toEqual([1, ['invitation.revoked']]);
  });

  it('costs changes of a webhook one statement, whose values only the service can write', async () => {
    const { context } = world;
    const webhooks = new WebhookService(world.db, world.clock, world.secrets, outbound);
    const input = { url: 'http://127.0.0.1:9/secret-path', events: ['run.failed' as const] };
    const { webhook } = await webhooks.create(context, input);
    const { id } = webhook;
    const update = () => webhooks.update(context, id, { events: ['run.succeeded'] });
    expect(await costOf(update)).toEqual([2, ['webhook.updated']]);
    const [entry] = await world.db.query(`SELECT before, after FROM audit_log ORDER BY id DESC LIMIT 1`);
    const facts = { origin: 'http://127.0.0.1:9', status: 'enabled', workflow_id: null };
    expect(entry).toEqual({
      before: { ...facts, events: ['run.failed'] },
      after: { ...facts, events: ['run.succeeded'] },
    });
    expect(await costOf(() => webhooks.rotateSecret(context, id))).toEqual([3, ['webhook.secret_rotated']]);
    expect(await costOf(() => webhooks.delete(context, id))).toEqual([3, ['webhook.deleted']]);
  });

  it('has the list of actions before it, also when another writer comes between', async () => {
    const workflow = await world.workflow();
    const named = (name: string) => [{ name, kind: 'delay' as const, config: { seconds: 1 } }];
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
    await Promise.all(names.map((name) => world.set(workflow, named(name))));
    const rows = await world.db.query<{ before: any; after: any }>(
      `SELECT before, after FROM audit_log WHERE action = 'workflow.actions_updated' AND resource_id = $1`,
      [workflow.uuid],
    );
    const after = new Map(rows.map((row) => [row.after.actions_version, row.after.actions]));
    expect(after.size).toBe(names.length);
    for (const { before } of rows)
      expect(before.actions).toEqual(before.actions_version === 'none' ? [] : after.get(before.actions_version));
    expect(new Set(rows.map(({ before }) => before.actions_version)).size).toBe(names.length);
  });
});
