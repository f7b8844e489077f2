import { join } from 'node:path';
import {
  CALLERS,
  cleanUp,
  HoldingProcess,
  isAlive,
  makeFolder,
  postmasterOf,
  query,
  until,
} from './holding-process.js';

describe.each(CALLERS)('The embedded database of $name', (caller) => {
  const folder = makeFolder(caller);
  const dataDir = join(folder, 'data');
  afterAll(() => cleanUp(folder));

  it('keeps its rows when it is stopped and opened again', async () => {
    const first = new HoldingProcess('service', dataDir, caller);
    await query((await first.ready()).url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = new HoldingProcess('service', dataDir, caller);
    const { url, dataDir: reported } = await second.ready();
    expect(reported).toBe(dataDir);
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it('stops after a kill -9 of its process and loses no acknowledged row', async () => {
    const killed = new HoldingProcess('service', dataDir, caller, 'insert');
    const { url } = await killed.ready();
    const processes = await query<{ pid: number }>(url, 'SELECT pid FROM pg_stat_activity');
    const postmaster = postmasterOf(dataDir);
    await killed.event(({ acknowledged }) => (acknowledged ?? 0) >= 100);
    await killed.kill();
    await until(() => ![postmaster, ...processes.map(({ pid }) => pid)].some(isAlive));

    const reopened = new HoldingProcess('service', dataDir, caller);
    const rows = await query<{ n: number }>((await reopened.ready()).url, 'SELECT n FROM acknowledged');
    const kept = new Set(rows.map(({ n }) => n));
    const acknowledged = killed.events.flatMap((event) => event.acknowledged ?? []);
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    await reopened.stop();
  });
});
