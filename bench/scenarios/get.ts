import { CONNECTIONS, type DefineScenario, exactly, graphql, rootField } from './scenario.js';

const QUERY = `query Workflow($id: ID!) {
  workflow(id: $id) { id name description status failureNoticeAfter createdAt updatedAt runCount }
}`;

/** One workflow by its id, of 1,000 in turn. */
export const get: DefineScenario = ({ large, workflowIds }) => {
  const rest = workflowIds.map((id) => ({ method: 'GET', path: `/v1/workflows/${id}`, key: large.key }));
  return {
    name: 'get',
    connections: CONNECTIONS,
    contenders: {
      limit: { on: 'limit', requests: rest, status: 200, comparable: exactly },
      rest: { on: 'service', requests: rest, status: 200, comparable: exactly },
      graphql: {
        on: 'service',
        requests: workflowIds.map((id) => graphql(large.key, QUERY, { id })),
        status: 200,
        comparable: rootField('workflow'),
      },
    },
    comparisons: [
      { title: 'REST: get one', of: 'rest', to: 'limit', target: 0.85 },
      { title: 'GraphQL: get one', of: 'graphql', to: 'limit', target: 0.6 },
    ],
  };
};
