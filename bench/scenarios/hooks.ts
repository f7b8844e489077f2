import { type HttpRequest } from '../load/http.js';
import { type DefineScenario, type Scenario, withoutOwn } from './scenario.js';

const BODY = JSON.stringify({ event: 'order.created', order: { id: 1234567, total: '99.50', currency: 'EUR' } });
const CONNECTIONS = 128;

/** Requests to the hooks of 1,000 workflows in turn. */
export const hooksSpread: DefineScenario = (seed) =>
  hooks('hooks-spread', seed.hookTokens, 'Hooks, spread over 1,000 workflows', 1.5);

/** Requests that all fire one workflow, so that all increment one row. */
export const hooksOnOne: DefineScenario = (seed) =>
  hooks('hooks-one', seed.hookTokens.slice(0, 1), 'Hooks, all on one workflow', 3);

function hooks(name: string, tokens: readonly string[], title: string, target: number): Scenario {
  const requests = tokens.map((token): HttpRequest => ({ method: 'POST', path: `/hooks/${token}`, body: BODY }));
  return {
    name,
    connections: CONNECTIONS,
    contenders: {
      limit: { on: 'limit', requests, status: 202, comparable: withoutOwn },
      hook: { on: 'service', requests, status: 202, comparable: withoutOwn },
    },
    comparisons: [{ title, of: 'hook', to: 'limit', target }],
  };
}
