import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { AppError } from '../../src/platform/errors.js';
import { newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { ActionWorld } from '../support/worlds/action-world.js';

const TOKEN = 'Bearer hunter2-correct-horse';
const request = (name = 'send', config: Record<string, unknown> = {}): ActionInput => ({
  name,
  kind: 'http_request',
  config: { method: 'POST', url: 'https://api.example.com', headers: { Authorization: TOKEN }, ...config },
});
const call = (integrationId: string, name = 'call'): ActionInput => ({
  name,
  kind: 'app_request',
  config: { integration_id: integrationId, method: 'GET', path: '/me' },
});

let world: ActionWorld;
beforeAll(async () => {
  world = await ActionWorld.open();
});
afterAll(() => world.close());

describe('ActionService.set', () => {
  it('returns the list exactly as it was sent, with the keys in order', async () => {
    const workflow = await world.workflow();
    const config =
      '{"z":1,"url":"{{ trigger.body.url }}","method":"GET","__proto__":{"x":1},"body":{"b":[],"a":null,"10":"😀"}}';
    await world.set(workflow, [request(), { name: 'odd', kind: 'http_request', config: JSON.parse(config) }]);
    const [, odd] = await world.actionsOf(workflow);
    expect(JSON.stringify(odd)).toBe(
      `{"name":"odd","kind":"http_request","config":${JSON.stringify(JSON.parse(config))}}`,
    );
    expect(JSON.stringify(odd)).toContain('"z":1,"url"');
    expect(JSON.stringify(odd)).toContain('"__proto__":{"x":1}');
  });

  it('keeps names, addresses and header values sealed at rest', async () => {
    const workflow = await world.workflow();
    await world.set(workflow, [request('a-telling-name')]);
    const rows = await world.db.query('SELECT action_lists::text AS row FROM action_lists');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toMatch(/hunter2|Authorization|api\.example\.com|a-telling-name/);
  });

  it('seals each list for its row, so that a copied body opens in no other row', async () => {
    const [one, two] = [await world.workflow(), await world.workflow()];
    await world.set(one, [request()]);
    await world.set(two, [request('other')]);
    const [from] = await world.lists(one);
    const [to] = await world.lists(two);
    await world.db.query('UPDATE action_lists SET body = (SELECT body FROM action_lists WHERE id = $1) WHERE id = $2', [
      from,
      to,
    ]);
    expect(await world.actionsOf(two)).toBeNull();
    await world.db.query('DELETE FROM action_lists WHERE id = $1', [to]);
  });

  it('inserts a new list each time and keeps the old one for its runs', async () => {
    const workflow = await world.workflow();
    const first = await world.set(workflow, [request('a')]);
    const second = await world.set(workflow, [request('b')]);
    expect(await world.lists(workflow)).toEqual([first.actionsId, second.actionsId]);
    expect(await world.listOf(first.actionsId!)).toEqual([request('a')]);
  });

  it('inserts a new list for no actions too, so that its version never comes back', async () => {
    const workflow = await world.workflow();
    const first = await world.set(workflow, []);
    await world.set(workflow, [request()]);
    const last = await world.set(workflow, []);
    expect(await world.actionsOf(workflow)).toEqual([]);
    expect(last.actionsId).not.toBe(first.actionsId);
    expect(await world.lists(workflow)).toHaveLength(3);
  });

  it('advances updated_at, even within one millisecond, and changes nothing else of the workflow', async () => {
    const { actionsId: none, updatedAt: before, ...rest } = await world.workflow();
    const first = await world.set({ id: toPublicId('wf', rest.uuid) }, [request()]);
    const second = await world.set(first, []);
    expect(none).toBeNull();
    expect([first.updatedAt.getTime(), second.updatedAt.getTime()]).toEqual([
      before.getTime() + 1,
      before.getTime() + 2,
    ]);
    expect(second).toMatchObject(rest);
    world.clock.time = new Date(world.clock.time.getTime() + 5_000);
    expect((await world.set(first, [])).updatedAt).toEqual(world.clock.time);
  });

  it('takes two statements: the audit log tells the list before, which only the service can open', async () => {
    const workflow = await world.workflow();
    const integration = await world.integration();
    const before = world.db.statements;
    await world.set(workflow, [request(), call(integration)]);
    expect(world.db.statements - before).toBe(2);
  });

  it('leaves one whole list when many are saved at once', async () => {
    const workflow = await world.workflow();
    const lists = Array.from({ length: 10 }, (_, index) => [request(`a${index}`), request(`b${index}`)]);
    const saved = await Promise.all(lists.map((list) => world.set(workflow, list)));
    expect(new Set(saved.map(({ updatedAt }) => updatedAt.getTime())).size).toBe(10);
    const { actionsId } = await world.workflows.get(world.context, workflow.id);
    const last = saved.findIndex((each) => each.actionsId === actionsId);
    expect(await world.actionsOf(workflow)).toEqual(lists[last]);
    expect(saved[last]!.updatedAt.getTime()).toBe(Math.max(...saved.map(({ updatedAt }) => updatedAt.getTime())));
  });

  it('lets one of many writers with the same version win, and refuses the others', async () => {
    const workflow = await world.workflow();
    const { actionsVersion } = await world.set(workflow, [request('begun')], world.context, workflow.actionsVersion);
    const lists = Array.from({ length: 8 }, (_, index) => [request(`a${index}`)]);
    const saves = await Promise.allSettled(
      lists.map((list) => world.set(workflow, list, world.context, actionsVersion)),
    );
    const winner = saves.findIndex(({ status }) => status === 'fulfilled');
    expect(await world.actionsOf(workflow)).toEqual(lists[winner]);
    expect(saves.toSpliced(winner, 1)).toEqual(
      Array.from({ length: 7 }, () => ({
        status: 'rejected',
        reason: expect.objectContaining({
          code: 'precondition_failed',
          message: 'It was changed since that version was read. Read it again.',
        }),
      })),
    );
    expect(await world.lists(workflow)).toHaveLength(2);
  });

  it('has a version that a new name and status do not change, even without actions', async () => {
    const workflow = await world.workflow();
    expect(workflow.actionsVersion).toBe('none');
    const first = await world.set(workflow, [request()]);
    await world.workflows.update(world.context, workflow.id, { name: 'Other', status: 'active' });
    const second = await world.set(workflow, [], world.context, first.actionsVersion);
    expect(['none', first.actionsVersion]).not.toContain(second.actionsVersion);
    await expect(world.set(workflow, [request()], world.context, first.actionsVersion)).rejects.toThrow('changed');
    expect(await world.actionsOf(workflow)).toEqual([]);
  });

  it('deletes the list with its workflow', async () => {
    const workflow = await world.workflow();
    await world.set(workflow, [request()]);
    await world.workflows.delete(world.context, workflow.id);
    expect(await world.lists(workflow)).toEqual([]);
  });

  it('accepts integrations of the account, in any number and repeatedly, and does not resolve placeholders', async () => {
    const workflow = await world.workflow();
    const [one, two] = [await world.integration(), await world.integration()];
    const list = [call(one, 'a'), call(two, 'b'), call(one, 'c'), call('{{ trigger.body.id }}', 'd')];
    await world.set(workflow, list);
    expect(await world.actionsOf(workflow)).toEqual(list);
  });
});

describe('ActionService.set refuses, and stores nothing:', () => {
  const unknown = (prefix: 'wf' | 'int') => toPublicId(prefix, newUuid(new Date()));

  it.each<[string, string, () => Promise<[id: string, actions: ActionInput[], version?: string]>]>([
    ['an unknown workflow', 'not_found: No such workflow.', async () => [unknown('wf'), [request()]]],
    ['an ill-formed workflow id', 'not_found: No such workflow.', async () => ['wf_x', [request()]]],
    [
      "another account's workflow",
      'unauthorized: The workflow belongs to another account.',
      async () => [(await world.workflow(world.stranger)).id, [request()]],
    ],
    [
      'a bad action before an unknown workflow',
      'validation_error: actions.0.config.method: is required',
      async () => [unknown('wf'), [request('a', { method: undefined })]],
    ],
    [
      'an unknown workflow before an unknown integration',
      'not_found: No such workflow.',
      async () => [unknown('wf'), [call(unknown('int'))]],
    ],
    [
      'an unknown integration',
      'not_found: No such integration.',
      async () => [
        (await world.workflow()).id,
        [request(), call(await world.integration()), call(unknown('int'), 'b')],
      ],
    ],
    [
      'an ill-formed integration id',
      'not_found: No such integration.',
      async () => [(await world.workflow()).id, [call('nothing of the kind')]],
    ],
    [
      'a deleted integration',
      'not_found: No such integration.',
      async () => [(await world.workflow()).id, [call(await world.integration(world.context, new Date()))]],
    ],
    [
      "another account's integration",
      'unauthorized: The integration belongs to another account.',
      async () => [
        (await world.workflow()).id,
        [call(await world.integration(world.stranger)), call(unknown('int'), 'b')],
      ],
    ],
    [
      'an unknown integration before another version',
      'not_found: No such integration.',
      async () => [(await world.workflow()).id, [call(unknown('int'))], newUuid(new Date())],
    ],
    [
      'an ill-formed version',
      'precondition_failed: It was changed since that version was read. Read it again.',
      async () => [(await world.workflow()).id, [request()], 'none\0'],
    ],
  ])('%s', async (_, refusal, attempt) => {
    const [id, actions, version] = await attempt();
    const count = () => world.db.query('SELECT count(*) FROM action_lists');
    const before = await count();
    const error = await world.set({ id }, actions, world.context, version).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    const { code, message } = error as AppError;
    expect(`${code}: ${message}`).toBe(refusal);
    expect(await count()).toEqual(before);
  });
});
