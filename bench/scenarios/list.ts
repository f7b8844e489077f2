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

/** 20 workflows of the large account behind a row, near the beginning and far from it: one statement for both. */
export const behindRow: DefineScenario = ({ large, places }) => ({
  name: 'after',
  connections: CONNECTIONS,
  contenders: {
    first: { on: 'service', requests: [behind(large.key, places.first)], status: 200, comparable: undefined },
    deep: { on: 'service', requests: [behind(large.key, places.deep)], status: 200, comparable: undefined },
  },
  comparisons: [{ title: 'REST: 20 behind row 400,000 against 20 behind row 1', of: 'deep', to: 'first', target: 0.9 }],
});

function behind(key: string, id: string): HttpRequest {
  return { method: 'GET', path: `/v1/workflows?after=${id}&per_page=20`, key };
}

function page(key: string, number: number): HttpRequest {
  return { method: 'GET', path: `/v1/workflows?page=${number}&per_page=20`, key };
}
