import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Client } from '../../support/http/client.js';
import { freePort } from '../../support/http/free-port.js';
import { scaled } from '../../support/runner/long-scale.js';
import { ServiceProcess } from '../../support/service-process.js';
import { Observer } from '../../faults/support/observer.js';
import { hookedWorkflow } from '../../faults/support/hooked-workflow.js';
import { answerAtOnce } from './many-answers.js';
import { waiting } from '../wait-world.js';

const PROCESSES = 12;

describe(`100 answers to one wait at once, through ${PROCESSES} processes`, () => {
  let database: TestDatabase;
  let sql: Observer;
  let services: ServiceProcess[] = [];
  let urls: string[];
  let key: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    const ports: number[] = [];
    for (let count = 0; count < PROCESSES; count += 1) ports.push(await freePort());
    urls = ports.map((port) => `http://localhost:${port}`);
    const shared = {
      DATABASE_URL: database.url,
      DATABASE_POOL: '5',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      BASE_URL: urls[0]!,
    };
    for (const [place, port] of ports.entries())
      services.push(
        await ServiceProcess.start({ ...shared, PORT: String(port), ROLES: place === 0 ? 'api,worker' : 'api' }),
      );
    key = await sql.key();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    services = [];
    await sql.close();
    await database.drop();
  });

  it('are taken once', async () => {
    const client = new Client(urls[0]!, key);
    const hook = await hookedWorkflow(client, [{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    for (let round = 0; round < scaled(20, 2); round += 1) {
      const fired = await client.send('POST', new URL(hook).pathname, { body: '{}' });
      const run = async (id: string) => (await client.rest('GET', `/runs/${id}`)).body;
      const [wait] = await waiting({ client, run }, fired.body.run_id as string);
      await answerAtOnce(wait, urls, key);
    }
    const runs = await sql.rows(
      `SELECT (SELECT count(*)::int FROM wait_changes WHERE status = 'answered') AS answered, count(*)::int AS total FROM runs`,
    );
    expect(runs[0]!.answered).toBe(runs[0]!.total);
  });
});
