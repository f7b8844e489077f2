import { type HttpRequest } from '../load/http.js';
import { CONNECTIONS, type DefineScenario, exactly, graphql, rootField } from './scenario.js';

const QUERY = `query Workflows($page: Int!, $perPage: Int!) {
  workflows(page: $page, perPage: $perPage) {
    items { id name status createdAt updatedAt runCount }
    meta { total page perPage }
  }
}`;

/** The first 20 workflows of an account and their total. */
export const list: DefineScenario = ({ large, small }) => ({
  name: 'list',
  connections: CONNECTIONS,
  contenders: {
    limit: { on: 'limit', requests: [page(large.key, 1)], status: 200, comparable: exactly },
    rest: { on: 'service', requests: [page(large.key, 1)], status: 200, comparable: exactly },
    graphql: {
      on: 'service',
      requests: [graphql(large.key, QUERY, { page: 1, perPage: 20 })],
      status: 200,
      comparable: rootField('workflows'),
    },
    small: { on: 'service', requests: [page(small.key, 1)], status: 200, comparable: undefined },
  },
  comparisons: [
    { title: 'REST: list 20 of 500,000, with total', of: 'rest', to: 'limit', target: 0.8 },
    { title: 'GraphQL: list 20 of 500,000, with total', of: 'graphql', to: 'limit', target: 0.55 },
    { title: 'REST: list of 500,000 against list of 1,000', of: 'rest', to: 'small', target: 0.9 },
  ],
});

/** Page 1,000 of the large account. */
export const deepPage: DefineScenario = ({ large }) => ({
  name: 'page-1000',
  connections: CONNECTIONS,
  contenders: {
    limit: { on: 'limit', requests: [page(large.key, 1_000)], status: 200, comparable: exactly },
    rest: { on: 'service', requests: [page(large.key, 1_000)], status: 200, comparable: exactly },
  },
  comparisons: [{ title: 'REST: page 1,000 of the list', of: 'rest', to: 'limit', target: 0.8 }],
});

function page(key: string, number: number): HttpRequest {
  return { method: 'GET', path: `/v1/workflows?page=${number}&per_page=20`, key };
}
