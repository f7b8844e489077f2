import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLSchema } from 'graphql';
import { AUDIT_ACTIONS } from '../../src/features/audit-log/audit-action.js';
import { ROUTES } from '../../src/transports/rest/routes.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { rootFields } from '../security/root-fields.js';
import { AuditWorld } from './audit-world.js';

/** The entries of each mutation, in order, and variables that change something where the sample has none. */
const AUDITED: Readonly<Record<string, { writes: readonly string[]; given?: Record<string, unknown> }>> = {
  connectIntegration: { writes: ['integration.created'] },
  createApiKey: { writes: ['api_key.created'] },
  createTrigger: { writes: ['trigger.created'] },
  createWebhook: { writes: ['webhook.created'] },
  createWorkflow: { writes: ['workflow.created'] },
  deleteIntegration: { writes: ['integration.deleted'] },
  deleteTrigger: { writes: ['trigger.deleted'] },
  deleteWebhook: { writes: ['webhook.deleted'] },
  deleteWorkflow: { writes: ['workflow.deleted'] },
  disconnectIntegration: { writes: ['integration.disconnected'] },
  duplicateWorkflow: { writes: ['workflow.created', 'trigger.created', 'trigger.created'] },
  inviteUser: { writes: ['invitation.created'] },
  reconnectIntegration: { writes: ['integration.connected'] },
  removeUser: { writes: ['user.removed'] },
  revokeApiKey: { writes: ['api_key.revoked'] },
  revokeInvitation: { writes: ['invitation.revoked'] },
  rotateApiKey: { writes: ['api_key.rotated', 'api_key.created'] },
  rotateWebhookSecret: { writes: ['webhook.secret_rotated'] },
  setWorkflowActions: { writes: ['workflow.actions_updated'] },
  updateAccount: { writes: ['account.updated'], given: { input: { name: 'renamed' } } },
  updateIntegration: { writes: ['integration.updated'], given: { input: { name: 'renamed' } } },
  updateProfile: { writes: ['user.updated'] },
  updateTrigger: { writes: ['trigger.updated'], given: { input: { name: 'renamed' } } },
  updateWebhook: { writes: ['webhook.updated'] },
  updateWorkflow: { writes: ['workflow.updated'], given: { input: { name: 'renamed' } } },
};

const RUNS = 'Runs are not in the log: they have their own history.';

/** Mutations without an entry, each with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  answerWait: 'Continues one run, whose step says by whom.',
  callApplication: 'Changes nothing of the account.',
  cancelBulkOperation: RUNS,
  cancelRun: RUNS,
  cancelRuns: RUNS,
  createConnectSession: 'Admits one flow for minutes. The integration that it connects has an entry.',
  redeliverWebhook: 'Sends events again and changes no setting.',
  redeliverWebhookDelivery: 'Sends an event again and changes no setting.',
  retryRun: RUNS,
  retryRuns: RUNS,
  runWorkflow: RUNS,
  testIntegration: 'Changes nothing by itself. A connection that it finds dead has an entry.',
  testWebhook: 'Sends an event and changes no setting.',
  testWorkflow: RUNS,
};

let world: AuditWorld;
let schema: GraphQLSchema;
beforeAll(async () => {
  world = await AuditWorld.open();
  schema = await clientSchema(world.writer);
});
afterAll(() => world.close());

/** Executes a mutation on things of its own. @returns the actions that it wrote. */
async function actionsOf(name: string, given: Record<string, unknown> = {}): Promise<string[]> {
  const things = await world.things();
  const field = rootFields(schema, things).find((one) => one.operation === 'mutation' && one.name === name)!;
  return world.actionsOf(async () => {
    // Only a run that has ended can be retried.
    const ended = name === 'retryRun' ? { id: things.endedRun } : {};
    const variables = { ...field.variables, ...ended, ...given };
    const { body } = await world.person.client.graphql(field.query, variables);
    // A mutation that fails would write nothing for the wrong reason.
    expect(body.errors).toBeUndefined();
  });
}

describe('the audit log', () => {
  it('is only read: no route and no mutation changes or deletes entries', async () => {
    const { client } = world.person;
    const statuses = ['POST', 'PUT', 'PATCH', 'DELETE'].map(async (method) => {
      const answers = [client.send(method, '/v1/audit_log', { body: {} }), client.send(method, '/v1/audit_log/aud_x')];
      return (await Promise.all(answers)).map(({ status }) => status);
    });
    for (const each of await Promise.all(statuses))
      expect(each.every((status) => [404, 405].includes(status))).toBe(true);
    expect(ROUTES.filter(({ feature }) => feature === 'audit-log').map(({ method }) => method)).toEqual(['GET']);
    const names = Object.keys(schema.getMutationType()!.getFields());
    expect(names.filter((name) => /audit/i.test(name))).toEqual([]);
  });

  it('believes no header about the address, unless a proxy sets it', async () => {
    const body = { name: 'From here' };
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    const { id } = (await world.writer.rest('POST', '/workflows', { body, headers })).body;
    const [entry] = await world.entries(`&resource=${id}`);
    expect(entry.address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  });
});

describe('every mutation', () => {
  it('has an entry in the audit log, or a reason to have none', () => {
    const names = Object.keys(schema.getMutationType()!.getFields());
    expect([...Object.keys(AUDITED), ...Object.keys(EXEMPT)].sort()).toEqual(names.sort());
  });

  it.each(Object.entries(AUDITED))('%s writes its entries', async (name, { writes, given }) => {
    expect(await actionsOf(name, given)).toEqual(writes);
    for (const action of writes) expect(AUDIT_ACTIONS).toHaveProperty([action]);
  });

  it.each(Object.keys(EXEMPT))('%s writes none', async (name) => {
    expect(await actionsOf(name)).toEqual([]);
  });

  it('writes nothing when it fails', async () => {
    const { id } = (await world.writer.rest('POST', '/workflows', { body: { name: 'kept' } })).body;
    const failing = async () => {
      const body = { name: 'other' };
      const answer = await world.writer.rest('PUT', `/workflows/${id}`, { body, headers: { 'if-match': '"old"' } });
      expect(answer.status).toBe(412);
    };
    expect(await world.actionsOf(failing)).toEqual([]);
  });

  it('writes no entry with an Idempotency-Key whose document fails, and each once', async () => {
    const headers = { 'idempotency-key': 'whole' };
    const create = 'a: createWorkflow(input: { name: "a" }) { id }';
    const send = (query: string, key: object = headers) =>
      world.writer.send('POST', '/graphql', { body: { query }, headers: key as Record<string, string> });
    expect(await world.actionsOf(() => send(`mutation { ${create} b: deleteWorkflow(id: "wf_x") }`))).toEqual([]);
    const again = { 'idempotency-key': 'again' };
    const twice = async () => [
      await send(`mutation { ${create} }`, again),
      await send(`mutation { ${create} }`, again),
    ];
    expect(await world.actionsOf(twice)).toEqual(['workflow.created']);
  });
});
