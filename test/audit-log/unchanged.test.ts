import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditWorld } from './audit-world.js';

let world: AuditWorld;
let ids: Record<string, string>;
beforeAll(async () => {
  world = await AuditWorld.open();
  ids = (await world.things()) as Record<string, string>;
});
afterAll(() => world.close());

async function rest(method: string, path: string, body: object): Promise<any> {
  const answer = await world.writer.rest(method, path, { body });
  // A request that fails would write nothing for the wrong reason.
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

async function mutate(mutation: string): Promise<void> {
  const { body } = await world.person.client.graphql(`mutation { ${mutation} }`);
  expect(body.errors).toBeUndefined();
}

const SECRET = 'a secret of 16 bytes or more';

/** Updates by REST: of what, with which fields, and a value that is another. */
const UPDATES = [
  ['workflow', { name: 'Same' }, { name: 'Other' }],
  ['workflow', { description: 'Same' }, { description: null }],
  ['workflow', { status: 'paused' }, { status: 'active' }],
  ['workflow', { failure_notice_after: 7 }, { failure_notice_after: null }],
  ['trigger', { name: 'Same' }, { name: null }],
  ['trigger', { status: 'paused' }, { status: 'active' }],
  ['trigger', { config: { dedupe_header: 'x-id' } }, { config: { dedupe_header: 'x-other' } }],
  ['webhook', { status: 'disabled' }, { status: 'enabled' }],
  ['webhook', { events: ['run.failed'] }, { events: ['run.failed', 'run.succeeded'] }],
  ['integration', { name: 'Same' }, { name: 'Other' }],
  ['integration', { reference: 'same' }, { reference: null }],
] as const;

/** Updates of values that no entry has. */
const UNSEEN = [
  ['trigger', { config: { secret: SECRET } }, { config: { secret: `${SECRET}, changed` } }],
  ['trigger', { config: { secret: SECRET } }, { config: { secret: null } }],
  ['webhook', { url: 'http://127.0.0.1:9/a' }, { url: 'http://127.0.0.1:9/b' }],
  ['webhook', { url: 'http://127.0.0.1:9/?key=a' }, { url: 'http://127.0.0.1:9/?key=b' }],
] as const;

/** Updates by GraphQL, each with another value. */
const MUTATIONS = [
  ['updateAccount(input: { name: "Same" }) { id }', 'updateAccount(input: { name: "Other" }) { id }'],
  ['updateAccount(input: { eventLog: false }) { id }', 'updateAccount(input: { eventLog: true }) { id }'],
  ['updateProfile(name: "Same") { id }', 'updateProfile(name: "Other") { id }'],
] as const;

describe('an update', () => {
  it.each([...UPDATES, ...UNSEEN])('of a %s to %j has an entry, none a second time, and one back', async (...row) => {
    const [type, same, other] = row;
    const put = (body: object) => rest('PUT', `/${type}s/${ids[type]}`, body);
    await put(other);
    const written = [`${type}.updated`];
    expect(await world.actionsOf(() => put(same))).toEqual(written);
    expect(await world.actionsOf(() => put(same))).toEqual([]);
    expect(await world.actionsOf(() => put(other))).toEqual(written);
  });

  it.each(MUTATIONS)('by %s has an entry, none a second time, and one back', async (same, other) => {
    await mutate(other);
    const written = [same.startsWith('updateAccount') ? 'account.updated' : 'user.updated'];
    expect(await world.actionsOf(() => mutate(same))).toEqual(written);
    expect(await world.actionsOf(() => mutate(same))).toEqual([]);
    expect(await world.actionsOf(() => mutate(other))).toEqual(written);
  });

  it('that changes nothing moves updated_at all the same', async () => {
    const before = await rest('PUT', `/workflows/${ids.workflow}`, { name: 'Moved' });
    const after = await rest('PUT', `/workflows/${ids.workflow}`, { name: 'Moved' });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });
});

describe('the events secret of an integration', () => {
  const set = (events_secret: string | null) => () =>
    rest('PUT', `/integrations/${ids.integration}`, { events_secret });

  it('has an entry when it is set, changed or removed, and none when it stays', async () => {
    expect(await world.actionsOf(set(null))).toEqual([]);
    for (const secret of [SECRET, `${SECRET}, changed`, null]) {
      expect(await world.actionsOf(set(secret))).toEqual(['integration.updated']);
      expect(await world.actionsOf(set(secret))).toEqual([]);
    }
    const [removed, changed] = await world.entries(`&resource=${ids.integration}&action=integration.updated`);
    expect([removed.after.events_secret, changed.after.events_secret]).toEqual(['removed', 'set']);
  });
});

describe('the disabling of a webhook', () => {
  const disable = () => rest('PUT', `/webhooks/${ids.webhook}`, { status: 'disabled' });
  const disableAsPerson = () =>
    mutate(`updateWebhook(id: "${ids.webhook}", input: { status: DISABLED }) { disabledBy { id } }`);

  it('has an entry for each caller who takes the place of another, or of the service', async () => {
    await world.server.db.query(`UPDATE webhooks SET status = 'disabled', status_reason = 'gone', disabled_by = NULL`);
    const written = ['webhook.updated'];
    expect(await world.actionsOf(disable)).toEqual(written);
    expect(await world.actionsOf(disable)).toEqual([]);
    expect(await world.actionsOf(disableAsPerson)).toEqual(written);
    expect(await world.actionsOf(disableAsPerson)).toEqual([]);
  });

  it('has an entry when the time begins anew after which failures disable it, and none while it does not fail', async () => {
    const enable = () => rest('PUT', `/webhooks/${ids.webhook}`, { status: 'enabled' });
    await enable();
    expect(await world.actionsOf(enable)).toEqual([]);
    await world.server.db.query(`UPDATE webhooks SET failing_since = now()`);
    const name = () => rest('PUT', `/webhooks/${ids.webhook}`, { events: ['run.failed'] });
    await name();
    expect(await world.actionsOf(name)).toEqual([]);
    expect(await world.actionsOf(enable)).toEqual(['webhook.updated']);
    expect(await world.actionsOf(enable)).toEqual([]);
  });
});

describe('what is no update', () => {
  it('has an entry, also when its facts are as before', async () => {
    const { integration, workflow, webhook } = ids;
    const credentials = { api_key: 'sandbox_valid_key' };
    const actions: object[] = [];
    const written = await world.actionsOf(async () => {
      await rest('PUT', `/workflows/${workflow}/actions`, { actions });
      await rest('PUT', `/workflows/${workflow}/actions`, { actions });
      await rest('POST', `/webhooks/${webhook}/rotate_secret`, {});
      await rest('POST', `/integrations/${integration}/reconnect`, { credentials });
      await rest('POST', `/integrations/${integration}/reconnect`, { credentials });
    });
    expect(written).toEqual([
      'workflow.actions_updated',
      'workflow.actions_updated',
      'webhook.secret_rotated',
      'integration.connected',
      'integration.connected',
    ]);
  });
});
