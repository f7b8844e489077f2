import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { Observer } from './support/observer.js';
import { RepeatingClient, type Written } from './support/repeating-client.js';
import { ROUNDS } from './support/rounds.js';

/** The number of concurrent requests. */
const LANES = 12;

describe('a service that is killed with -9 while it writes', () => {
  let database: TestDatabase;
  let sql: Observer;
  let client: Client;
  let env: Record<string, string>;
  let service: ServiceProcess;
  let writer: RepeatingClient;
  let hook: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    env = {
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    };
    service = await ServiceProcess.start(env);
    client = new Client(`http://localhost:${env.PORT}`, await sql.key());
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'hooked', status: 'active' } });
    const config = { dedupe_header: 'X-Delivery' };
    const trigger = { workflow_id: body.id, type: 'webhook', config };
    hook = (await client.rest('POST', '/triggers', { body: trigger })).body;
    writer = new RepeatingClient(client.baseUrl, client.key!, hook.webhook_url!);
    await killAndWrite();
  });
  afterAll(async () => {
    await service.kill();
    await sql.close();
    await database.drop();
  });

  /** Kills the service after some acknowledgements, at a random moment, and restarts it. */
  async function killAndWrite(): Promise<void> {
    const working = writer.work(LANES);
    for (let round = 0; round < ROUNDS; round += 1) {
      const enough = writer.written.length + 40 + Math.floor(Math.random() * 120);
      await Promise.race([until(() => writer.written.length >= enough), working]);
      await service.kill();
      await sql.freeKeysOfTheDead();
      service = await ServiceProcess.start(env);
    }
    const enough = writer.written.length + 40;
    await Promise.race([until(() => writer.written.length >= enough), working]);
    writer.stop();
    await working;
  }

  const of = (kind: Written['kind']) => writer.written.filter((each) => each.kind === kind);
  const ids = (kind: Written['kind']) => of(kind).map(({ key, id }) => ({ key, id }));
  const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);

  it('has every workflow that it acknowledged, and each once', async () => {
    const rows = await sql.stored('wf', `SELECT name AS key, id FROM workflows WHERE name <> 'hooked'`);
    expect(rows.sort(byKey)).toEqual(ids('workflow').sort(byKey));
  });

  it('has every integration that it acknowledged, and each once', async () => {
    const rows = await sql.stored('int', `SELECT name AS key, id FROM integrations`);
    expect(rows.sort(byKey)).toEqual(ids('integration').sort(byKey));
  });

  it('has every run that it acknowledged, and one for each delivery', async () => {
    const rows = await sql.stored('run', `SELECT input #>> '{}' AS key, id FROM runs`);
    expect(rows.sort(byKey)).toEqual(ids('run').sort(byKey));
  });

  it('counts as many runs, workflows by status and changes as there are', async () => {
    const { body } = await client.rest('GET', `/workflows/${hook.workflow_id}`);
    expect(body.run_count).toBe(of('run').length);
    expect((await client.rest('GET', '/workflows?per_page=1')).body.meta.total).toBe(of('workflow').length + 1);
    for (const [status, total] of [
      ['draft', of('workflow').length],
      ['active', 1],
    ]) {
      expect((await client.rest('GET', `/workflows?status=${status}`)).body.meta.total).toBe(total);
    }
    const changes = await sql.rows(`SELECT position::int FROM integration_changes ORDER BY position`);
    expect(changes.map(({ position }) => position)).toEqual(of('integration').map((_, index) => index + 1));
    expect(await sql.rows(`SELECT change_position::int AS position FROM accounts`)).toEqual([
      { position: changes.length },
    ]);
  });

  it('returns the first response again for a repeated write', async () => {
    for (const { kind, key, id } of writer.written) expect(await writer.write(kind, key)).toBe(id);
    const [row] = await sql.rows(`SELECT count(*)::int AS workflows FROM workflows`);
    expect(row).toEqual({ workflows: of('workflow').length + 1 });
  });
});
