import { CONNECTIONS, type DefineScenario, graphql, rootField, withoutOwn } from './scenario.js';

const QUERY = `mutation Create($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) { id name description status createdAt updatedAt runCount }
}`;

/** A new workflow with its counter: one transaction each, committed before the response. */
export const create: DefineScenario = ({ writes }) => {
  const input = { name: 'Orders to the warehouse', description: 'Sends each order on.' };
  const rest = { method: 'POST', path: '/v1/workflows', key: writes.key, body: JSON.stringify(input) };
  return {
    name: 'create',
    connections: CONNECTIONS,
    contenders: {
      limit: { on: 'limit', requests: [rest], status: 201, comparable: withoutOwn },
      rest: { on: 'service', requests: [rest], status: 201, comparable: withoutOwn },
      graphql: {
        on: 'service',
        requests: [graphql(writes.key, QUERY, { input })],
        status: 200,
        comparable: (body) => withoutOwn(rootField('createWorkflow')(body)),
      },
    },
    comparisons: [
      { title: 'REST: create', of: 'rest', to: 'limit', target: 0.85 },
      { title: 'GraphQL: create', of: 'graphql', to: 'limit', target: 0.7 },
    ],
  };
};
