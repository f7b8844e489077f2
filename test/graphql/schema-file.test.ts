import { buildSchema, printSchema } from 'graphql';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

it('/schema.graphql is the schema that the service executes, with descriptions and without a key', async () => {
  const answer = await fetch(`${server.baseUrl}/schema.graphql`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const served = buildSchema(await answer.text());
  const introspected = await clientSchema(new Client(server.baseUrl, await server.key()));
  const names = Object.keys(served.getTypeMap()).filter((name) => !name.startsWith('__'));
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const fieldsOf = (schema: typeof served) => {
      const type = schema.getType(name)!;
      return [type.description, 'getFields' in type ? Object.keys(type.getFields()).sort() : []];
    };
    expect([name, fieldsOf(served)]).toEqual([name, fieldsOf(introspected)]);
  }
  expect(printSchema(served)).toContain('Seconds, 1 to 30');
});
