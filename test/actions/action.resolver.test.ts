import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActionWorld } from '../support/worlds/action-world.js';

const SET = `mutation ($id: ID!, $actions: [ActionInput!]!) {
  setWorkflowActions(workflowId: $id, actions: $actions) { id actions { name kind config } } }`;
const READ = `query ($id: ID!) { workflow(id: $id) { actions { name kind config } } }`;

let world: ActionWorld;
beforeAll(async () => {
  world = await ActionWorld.open();
});
afterAll(() => world.close());

describe('setWorkflowActions', () => {
  const actions = [
    { name: 'wait', kind: 'DELAY', config: { seconds: 5, note: 'kept' } },
    { name: 'mail', kind: 'SEND_EMAIL', config: { to: 'a@example.com', subject: 'Hi', text: '{{ steps.wait }}' } },
  ];

  it('returns the workflow with its new actions, which can be read again', async () => {
    const { id } = await world.workflow();
    expect(await world.execute(SET, { id, actions })).toEqual({ data: { setWorkflowActions: { id, actions } } });
    expect(await world.execute(READ, { id })).toEqual({ data: { workflow: { actions } } });
    expect(await world.execute(SET, { id, actions: [] })).toEqual({
      data: { setWorkflowActions: { id, actions: [] } },
    });
    expect(await world.execute(READ, { id })).toEqual({ data: { workflow: { actions: [] } } });
  });

  it('changes nothing if the actions were changed since the expected version', async () => {
    const { id } = await world.workflow();
    const setAt = `mutation ($id: ID!, $actions: [ActionInput!]!, $version: String) {
      setWorkflowActions(workflowId: $id, actions: $actions, expectedVersion: $version) { actionsVersion } }`;
    const first = await world.execute(setAt, { id, actions, version: 'none' });
    const { actionsVersion: version } = first.data!.setWorkflowActions;
    await world.execute(SET, { id, actions: [] });
    const { errors } = await world.execute(setAt, { id, actions, version });
    expect(errors?.[0]?.message).toBe('It was changed since that version was read. Read it again.');
    expect(await world.actionsOf({ id })).toEqual([]);
    expect(await world.execute(setAt, { id, actions, version: null })).not.toHaveProperty('errors');
  });

  it('accepts a config literal in the document, with keys of any name', async () => {
    const { id } = await world.workflow();
    const source = `mutation { setWorkflowActions(workflowId: "${id}", actions: [
      { name: "wait", kind: DELAY, config: { zeta: [1, { __proto__: "x" }], seconds: 0.5 } }]) { actions { config } } }`;
    const { data } = await world.execute(source);
    expect(JSON.stringify(data)).toContain('"config":{"zeta":[1,{"__proto__":"x"}],"seconds":0.5}');
  });

  it.each([
    [{ name: 'a', kind: 'SHELL', config: {} }, 'Value "SHELL" does not exist in "ActionKind" enum'],
    [{ name: 'a', kind: 'delay', config: {} }, 'Value "delay" does not exist in "ActionKind" enum'],
    [{ name: 'a', kind: 'DELAY', config: [] }, 'JSONObject cannot represent non-object value'],
    [{ name: 'a', kind: 'DELAY', config: null }, 'Expected non-nullable type "JSONObject!"'],
    [{ name: null, kind: 'DELAY', config: {} }, 'Expected non-nullable type "String!"'],
    [{ name: 'a', kind: 'DELAY', config: {} }, 'actions.0.config.seconds: is required'],
    [null, 'Expected non-nullable type "ActionInput!"'],
  ])('refuses %j', async (action, message) => {
    const { id } = await world.workflow();
    const { errors } = await world.execute(SET, { id, actions: [action] });
    expect(errors?.[0]?.message).toContain(message);
    expect(await world.actionsOf({ id })).toEqual([]);
  });

  it('is refused to a read-only key, which may read', async () => {
    const { id } = await world.workflow();
    await world.execute(SET, { id, actions });
    const readOnly = { ...world.context.caller, scope: 'read-only' } as const;
    const { errors } = await world.execute(SET, { id, actions: [] }, readOnly);
    expect(errors?.[0]?.message).toBe('The key is read-only: this needs a read-write key.');
    expect(await world.execute(READ, { id }, readOnly)).toEqual({ data: { workflow: { actions } } });
  });
});

describe('Workflow.actions', () => {
  it('costs one statement for a whole page of workflows', async () => {
    for (let index = 0; index < 5; index += 1) {
      const { id } = await world.workflow();
      await world.execute(SET, { id, actions: [{ name: `a${index}`, kind: 'DELAY', config: { seconds: 1 } }] });
    }
    const statementsOf = async (source: string) => {
      const before = world.db.statements;
      const { data } = await world.execute(source);
      expect(data!.workflows.items.length).toBeGreaterThanOrEqual(5);
      return world.db.statements - before;
    };
    const bare = await statementsOf('{ workflows { items { id } } }');
    expect(await statementsOf('{ workflows { items { id actions { name } } } }')).toBe(bare + 1);
  });
});
