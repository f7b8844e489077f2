import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('a database whose disk is full', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
    // PostgreSQL's own error of a write that finds no space: disk_full.
    await server.db.query(
      `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
    );
  });
  afterAll(() => server.close());

  it('refuses writes as unavailable, and takes them again once there is space', async () => {
    const create = () => client.rest('POST', '/workflows', { body: { name: 'x' } });
    const fill = `CREATE TRIGGER no_space BEFORE INSERT ON workflows EXECUTE FUNCTION no_space()`;
    await server.db.query(fill);
    const refused = await create();
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    const { body } = await client.graphql('mutation { createWorkflow(input: { name: "x" }) { id } }');
    expect(body.errors![0]!.extensions.code).toBe('UNAVAILABLE');
    expect((await client.rest('GET', '/workflows')).body.meta.total).toBe(0);

    await server.db.query(`DROP TRIGGER no_space ON workflows`);
    expect((await create()).status).toBe(201);
  });
});
