import { status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';
import { until } from '../support/until.js';

let world: WebhookWorld;
let workflow: string;

beforeAll(async () => {
  world = await WebhookWorld.open();
  world.startSender();
  workflow = (await world.workflow()).id;
});
afterAll(() => world.close());

const put = (path: string, body: object, headers = {}) => world.client.rest('PUT', path, { body, headers });
const read = async (path: string) => {
  const { headers, body } = await world.client.rest('GET', path);
  return { tag: headers.get('etag')!, body };
};
const idIn = (path: string) => path.split('/').at(-1)!;

/** A resource, how a change is undone, and the mutations that take its version. */
const KINDS = {
  trigger: {
    path: async () => {
      const body = { workflow_id: workflow, type: 'webhook', config: { secret: 'secret-of-a-hook' } };
      return `/triggers/${(await world.client.rest('POST', '/triggers', { body })).body.id}`;
    },
    changes: [{ status: 'paused' }, { status: 'active' }],
    update: 'updateTrigger(id: $id, input: { status: PAUSED }, expectedVersion: $version) { id }',
    remove: 'deleteTrigger(id: $id, expectedVersion: $version)',
  },
  webhook: {
    path: async () => `/webhooks/${(await world.webhook('/unused', ['run.failed'])).id}`,
    changes: [{ status: 'disabled' }, { status: 'enabled' }],
    update: 'updateWebhook(id: $id, input: { status: DISABLED }, expectedVersion: $version) { id }',
    remove: 'deleteWebhook(id: $id, expectedVersion: $version)',
  },
};

describe.each(Object.entries(KINDS))('the version of a %s', (_, { path: make, changes, update, remove }) => {
  it('does not come back when its content does, so that no change is undone unseen', async () => {
    const path = await make();
    const first = await read(path);
    for (const change of changes) expect((await put(path, change)).status).toBe(200);
    const now = await read(path);
    expect(now.body).toEqual(first.body);

    const headers = { 'if-match': first.tag };
    expect((await put(path, changes[0]!, headers)).body.code).toBe('precondition_failed');
    expect((await world.client.rest('DELETE', path, { headers })).body.code).toBe('precondition_failed');
    for (const field of [update, remove]) {
      const mutation = `mutation ($id: ID!, $version: String) { ${field} }`;
      const { body } = await world.client.graphql(mutation, { id: idIn(path), version: first.tag.slice(1, -1) });
      expect(body.errors?.[0].extensions.code).toBe('PRECONDITION_FAILED');
    }
    expect(await read(path)).toEqual(now);
    expect((await put(path, changes[0]!, { 'if-match': now.tag })).status).toBe(200);
  });

  it('is a new one after a change to the same value, and the old one after no change', async () => {
    const path = await make();
    const { tag, body } = await read(path);
    await put(path, {});
    expect(await read(path)).toEqual({ tag, body });
    await put(path, changes[1]!);
    const after = await read(path);
    expect([after.tag === tag, after.body]).toEqual([false, body]);
  });
});

describe('the version of a webhook', () => {
  it('is a new one when the service disables it, and the old one after a new secret', async () => {
    const { id } = await world.webhook('/gone', ['workflow.created']);
    const path = `/webhooks/${id}`;
    const first = await read(path);
    await world.client.rest('POST', `${path}/rotate_secret`);
    expect(await read(path)).toEqual(first);
    world.receiver.answer = status(410);
    await world.workflow('sent to a receiver that is gone');
    await until(async () => (await read(path)).body.status === 'disabled');
    expect((await put(path, { events: ['run.failed'] }, { 'if-match': first.tag })).status).toBe(412);
  });
});

describe('the version of actions', () => {
  it('does not come back when they are empty again', async () => {
    const { id } = await world.workflow();
    const path = `/workflows/${id}/actions`;
    const pause = { name: 'pause', kind: 'delay', config: { seconds: 1 } };
    const tags = [(await read(path)).tag];
    for (const actions of [[], [pause], []]) {
      const { headers, body } = await put(path, { actions }, { 'if-match': tags.at(-1)! });
      expect(body.actions).toEqual(actions);
      tags.push(headers.get('etag')!);
    }
    expect(new Set(tags).size).toBe(4);
    for (const stale of tags.slice(0, -1))
      expect((await put(path, { actions: [pause] }, { 'if-match': stale })).status).toBe(412);
    expect(await read(path)).toMatchObject({ tag: tags.at(-1), body: { actions: [] } });
  });
});
