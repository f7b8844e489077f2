import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { cleanUp, HoldingProcess, makeFolder, query } from './holding-process.js';

describe('The role of the embedded database', () => {
  const folder = makeFolder();
  const service = new HoldingProcess('service', folder);
  let url: string;
  beforeAll(async () => {
    ({ url } = await service.ready());
  });
  afterAll(() => cleanUp(folder));

  it('may create databases and is not a superuser', async () => {
    await query(url, 'CREATE DATABASE another');
    await query(url, 'CREATE DATABASE copy TEMPLATE another');
    const [role] = await query(url, 'SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user');
    expect(role).toEqual({ rolsuper: false, rolcreatedb: true });
  });

  it('may listen and notify', async () => {
    const listener = new pg.Client(url);
    await listener.connect();
    await listener.query('LISTEN door');
    const notified = once(listener, 'notification');
    await query(url, "NOTIFY door, 'knock'");
    expect(await notified).toMatchObject([{ channel: 'door', payload: 'knock' }]);
    await listener.end();
  });

  it('may end its own sessions', async () => {
    const victim = new pg.Client(url);
    await victim.connect();
    const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const errors: unknown[] = [];
    victim.on('error', (error) => errors.push(error));
    const cut = new Promise<void>((resolve) => victim.on('end', resolve));
    expect(await query(url, `SELECT pg_terminate_backend(${rows[0]!.pid}) AS done`)).toEqual([{ done: true }]);
    await cut;
    expect(errors).toContainEqual(expect.objectContaining({ code: '57P01' }));
  });

  it('requires a random password, stored in a file of mode 0600', async () => {
    const file = join(folder, 'postgres', 'gateway.password');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { password, port } = new URL(url);
    expect(readFileSync(file, 'utf8')).toBe(password);
    expect(password).toHaveLength(43);
    for (const login of ['gateway', 'gateway:wrong', 'postgres:', `postgres:${password}`])
      await expect(query(`postgres://${login}@127.0.0.1:${port}/postgres`, 'SELECT 1')).rejects.toThrow(/password/i);
  });

  it('is served with fsync on, and on the loopback address alone', async () => {
    expect(
      await query(url, "SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS at"),
    ).toEqual([{ fsync: 'on', at: '127.0.0.1' }]);
  });
});
