import { type GraphQLSchema } from 'graphql';
import { actionKinds } from '../../src/features/actions/kinds/index.js';
import { triggerKinds } from '../../src/features/triggers/kinds/index.js';
import { EVENT_MEANINGS } from '../../src/features/webhooks/webhook-event-type.js';
import { type OpenApi } from '../../src/transports/rest/openapi/document.js';
import { buildOpenApi } from '../../src/transports/rest/openapi/openapi.js';

/** The OpenAPI document, with what the features know beyond the schema of GraphQL. */
export function openApiOf(schema: GraphQLSchema): OpenApi {
  return buildOpenApi(schema, {
    triggers: Object.values(triggerKinds).map(({ type, ...rest }) => ({ word: type, ...rest })),
    actions: actionKinds.map(({ kind, ...rest }) => ({ word: kind, ...rest })),
    events: EVENT_MEANINGS,
  });
}
