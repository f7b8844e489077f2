import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, HoldingProcess, makeFolder, postmasterOf, query, until } from './holding-process.js';

describe('An embedded database that was interrupted', () => {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  afterAll(() => cleanUp(folder));

  it('is created again when its process was killed during initdb', async () => {
    const killed = new HoldingProcess('service', dataDir);
    const unfinished = () => (existsSync(dataDir) ? readdirSync(dataDir) : []).filter((n) => n.startsWith('postgres.'));
    await until(() => unfinished().some((name) => existsSync(join(dataDir, name, 'data', 'base'))));
    await killed.kill();
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const service = new HoldingProcess('service', dataDir);
    await query((await service.ready()).url, 'CREATE TABLE kept AS SELECT 1 AS one');
    await service.stop();
    const again = new HoldingProcess('service', dataDir);
    await again.ready();
    await again.stop();
    expect(unfinished()).toEqual([]);
  });

  it('opens although its postmaster.pid names another live process', async () => {
    const another = spawn('sleep', ['60']);
    const old = [another.pid, join(dataDir, 'postgres'), 1_700_000_000, 5432, '', '127.0.0.1', '1 1', 'ready   ', ''];
    writeFileSync(pidFile, old.join('\n'), { mode: 0o600 });
    const service = new HoldingProcess('service', dataDir);
    expect(await query((await service.ready()).url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect(another.exitCode).toBeNull();
    await service.stop();
    another.kill();
  });

  it('restarts on the same port when its postmaster is killed', async () => {
    const service = new HoldingProcess('service', dataDir);
    const { url } = await service.ready();
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await service.event(({ log }) => log === 'The embedded database runs again.');
    expect(await query(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await service.stop();
  });

  it('says in one sentence that its folder cannot be made', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    mkdirSync(join(folder, 'empty'));
    const service = new HoldingProcess('service', join(file, 'data'));
    const { message } = await service.event(({ error }) => error !== undefined);
    expect(message).toMatch(/^The data directory .* can't be written \(ENOTDIR\): .*set DATA_DIR to another folder\.$/);
  });

  // The watchdog is found through /proc.
  if (process.platform === 'linux')
    it('is stopped and restarted when both its process and its watchdog were killed', async () => {
      const service = new HoldingProcess('service', dataDir);
      const { url } = await service.ready();
      const postmaster = postmasterOf(dataDir);
      const watchdog = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${postmaster}/status`, 'utf8'))![1]);
      const guards = readFileSync(`/proc/${watchdog}/task/${watchdog}/children`, 'utf8').trim().split(' ').map(Number);
      for (const pid of guards.filter((pid) => pid !== postmaster)) process.kill(pid, 'SIGKILL');
      process.kill(watchdog, 'SIGKILL');
      await service.kill();
      expect(await query(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
      const next = new HoldingProcess('service', dataDir);
      const { url: nextUrl } = await next.ready();
      expect(await query(nextUrl, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
      await next.stop();
      await expect(query(nextUrl, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
});
