import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';
import { table } from '../markdown.js';
import { Bounds } from './bounds.js';
import { accountLimits } from './limits/account.js';
import { connectionLimits } from './limits/connections.js';
import { graphqlLimits } from './limits/graphql.js';
import { type Limits } from './limits/limit.js';
import { requestLimits } from './limits/requests.js';
import { runLimits } from './limits/runs.js';

/** The limits of the service, from the constants that enforce them. */
function limits(openApi: OpenApi): Limits {
  const bounds = new Bounds(openApi);
  return {
    ...requestLimits(bounds),
    ...graphqlLimits(bounds),
    ...runLimits(),
    ...connectionLimits(bounds),
    ...accountLimits(),
  };
}

/** A table for each group. */
export function limitTables(openApi: OpenApi): string {
  return Object.entries(limits(openApi))
    .map(([group, rows]) => `## ${group}\n\n${table(['What', 'Limit', 'Beyond it'], rows)}`)
    .join('\n\n');
}
