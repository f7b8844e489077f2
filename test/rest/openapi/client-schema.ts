import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import { type Client } from '../../support/http/client.js';

/** The schema of a running server, as it tells a client. */
export async function clientSchema(client: Client): Promise<GraphQLSchema> {
  const { body } = await client.graphql<IntrospectionQuery>(getIntrospectionQuery());
  return buildClientSchema(body.data);
}
