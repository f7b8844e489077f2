import { join } from 'node:path';
import { cleanUp, HoldingProcess, isAlive, makeFolder, postmasterOf, query, until } from './holding-process.js';

describe('A command on the embedded database', () => {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  afterAll(() => cleanUp(folder));

  const backend = async (url: string) => {
    const [row] = await query<{ started: string }>(url, 'SELECT pg_postmaster_start_time()::text AS started');
    return row?.started;
  };

  it('starts the database for itself when no service runs, and stops it', async () => {
    const command = new HoldingProcess('command', dataDir);
    const { url } = await command.ready();
    await query(url, 'CREATE TABLE written (by text)');
    await query(url, "INSERT INTO written VALUES ('command')");
    await command.stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('uses the database of a running service, which outlives it', async () => {
    const service = new HoldingProcess('service', dataDir);
    const { url } = await service.ready();
    const command = new HoldingProcess('command', dataDir);
    expect((await command.ready()).url).toBe(url);
    await command.stop();
    expect(await query(url, 'SELECT by FROM written')).toEqual([{ by: 'command' }]);
    await service.stop();
  });

  it('leaves the database that it started to a later service, even when it is killed', async () => {
    const command = new HoldingProcess('command', dataDir);
    const started = await backend((await command.ready()).url);
    const service = new HoldingProcess('service', dataDir);
    const { url } = await service.ready();
    await command.kill();
    expect(await backend(url)).toBe(started);
    await service.stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('keeps the database when the service stops first, and a new service joins it', async () => {
    const first = new HoldingProcess('service', dataDir);
    const command = new HoldingProcess('command', dataDir);
    const [{ url }] = await Promise.all([command.ready(), first.ready()]);
    const started = await backend(url);
    await first.stop();
    const second = new HoldingProcess('service', dataDir);
    expect((await second.ready()).url).toBe(url);
    await command.stop();
    expect(await backend(url)).toBe(started);
    const postmaster = postmasterOf(dataDir);
    await second.kill();
    await until(() => !isAlive(postmaster));
  });
});
