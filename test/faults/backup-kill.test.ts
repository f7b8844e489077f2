import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest } from '../../src/platform/backup/manifest.js';
import { Client } from '../support/http/client.js';
import { freePort } from '../support/http/free-port.js';
import { noteSecret } from '../support/database/secrets.js';
import { scratchFolder } from '../support/scratch.js';
import { ServiceProcess } from '../support/service-process.js';
import { gateway } from '../support/shell-command.js';
import { until } from '../support/until.js';
import { hookedWorkflow } from './support/hooked-workflow.js';

const LANES = 8;
/** Hooks before the backup begins, and after it has ended. */
const ENOUGH = 150;

interface Acknowledged {
  id: string;
  at: number;
}

describe('a backup under load, kill -9, and a restore elsewhere', () => {
  const folder = scratchFolder();
  const backup = join(folder, 'backup');
  const acknowledged: Acknowledged[] = [];
  let env: Record<string, string>;
  let client: Client;
  let service: ServiceProcess;
  let integration: string;
  let manifest: Manifest;

  beforeAll(async () => {
    env = { PORT: String(await freePort()), DATA_DIR: join(folder, 'data') };
    service = await ServiceProcess.start(env);
    const { stdout } = await gateway(env, 'keys', 'create', '--label', 'test', '--scope', 'read-write');
    client = new Client(`http://localhost:${env.PORT}`, noteSecret(stdout.trim()));
    const credentials = { api_key: 'sandbox_valid_key' };
    const connected = { body: { type: 'sandbox_api_key', credentials } };
    integration = (await client.rest('POST', '/integrations/connect', connected)).body.id;
    const config = { integration_id: integration, method: 'GET', path: '/api/contacts' };
    const hook = await hookedWorkflow(client, [{ name: 'call', kind: 'app_request', config }]);
    await backUpUnderLoad(new URL(hook).pathname);
    await service.kill();
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function backUpUnderLoad(hook: string): Promise<void> {
    let stopped = false;
    const lane = async () => {
      while (!stopped) {
        const { status, body } = await client.send('POST', hook, { body: { n: acknowledged.length } });
        if (status === 202) acknowledged.push({ id: body.run_id, at: Date.now() });
      }
    };
    const lanes = Promise.all(Array.from({ length: LANES }, lane));
    await until(() => acknowledged.length >= ENOUGH);
    const made = await gateway(env, 'backup', backup, '--json');
    expect([made.status, made.stderr]).toEqual([0, '']);
    const later = acknowledged.length + ENOUGH;
    await until(() => acknowledged.length >= later);
    stopped = true;
    await lanes;
    manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest;
  }

  it('is a folder of mode 0700 with the key, the database and a manifest', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    expect(manifest).toMatchObject({ format: 1, kind: 'cluster', postgresql: 18 });
    const names = manifest.files.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['encryption.key', 'postgres/backup_label', 'postgres/global/pg_control']),
    );
    expect(names.filter((name) => name.startsWith('postgres/pg_wal/')).length).toBeGreaterThan(0);
    for (const { name } of manifest.files) expect(statSync(join(backup, name)).mode & 0o777).toBe(0o600);
  });

  it('restores all that was acknowledged before the time of the manifest, and goes on', async () => {
    const elsewhere = { ...env, DATA_DIR: join(folder, 'elsewhere') };
    const { status, stdout } = await gateway(elsewhere, 'restore', backup);
    expect(status).toBe(0);
    expect(stdout).toMatch(/original must not run beside/);
    expect(stdout).toMatch(/rotated since the backup may be dead/);
    service = await ServiceProcess.start(elsewhere);
    const time = Date.parse(manifest.time);
    const before = acknowledged.filter(({ at }) => at < time);
    expect(before.length).toBeGreaterThanOrEqual(ENOUGH);
    for (let start = 0; start < before.length; start += 50) {
      const some = before.slice(start, start + 50);
      const found = await Promise.all(some.map(({ id }) => client.rest('GET', `/runs/${id}`)));
      expect(found.map(({ status: each, body }) => [each, body.id])).toEqual(some.map(({ id }) => [200, id]));
    }
    // Sealed values open: the call needs the credentials of the connection.
    const call = { body: { path: '/api/contacts' } };
    expect((await client.rest('POST', `/integrations/${integration}/call`, call)).body.status).toBe(200);
    // Runs go on to their ends, with the sealed actions and credentials.
    for (const status of ['queued', 'running'])
      await until(async () => (await client.rest('GET', `/runs?status=${status}&per_page=1`)).body.meta.total === 0);
    const ended = (await client.rest('GET', '/runs?status=succeeded&per_page=1')).body.meta.total;
    const all = (await client.rest('GET', '/runs?per_page=1')).body.meta.total;
    expect(ended).toBe(all);
    expect(all).toBeGreaterThanOrEqual(before.length);
  });
});
