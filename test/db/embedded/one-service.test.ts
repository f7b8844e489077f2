import { join } from 'node:path';
import { cleanUp, HoldingProcess, makeFolder, query } from './holding-process.js';

describe('A data directory', () => {
  const folder = makeFolder();
  afterAll(() => cleanUp(folder));

  const expectRefusal = async (refused: HoldingProcess, dataDir: string) => {
    const { error, message } = await refused.event((event) => event.error !== undefined);
    expect(error).toBe('EmbeddedInUseError');
    expect(message).toContain(dataDir);
    expect(message).not.toContain('\n');
    await refused.ended;
  };

  it('takes exactly one of two services that start on it at once while it is empty', async () => {
    const dataDir = join(folder, 'raced');
    const services = [new HoldingProcess('service', dataDir), new HoldingProcess('service', dataDir)];
    const [loser] = await Promise.race(services.map((service) => service.ended.then(() => [service] as const)));
    const winner = services.find((service) => service !== loser)!;
    await expectRefusal(loser, dataDir);
    expect(await query((await winner.ready()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await winner.stop();
  });

  it('refuses a second service in one line while the first runs, and the first notices nothing', async () => {
    const dataDir = join(folder, 'raced');
    const first = new HoldingProcess('service', dataDir);
    const { url } = await first.ready();
    await expectRefusal(new HoldingProcess('service', dataDir), dataDir);
    expect(first.hasEnded).toBe(false);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await first.stop();
  });

  it('is free for the next service right after a kill -9 of the one before', async () => {
    const dataDir = join(folder, 'raced');
    const killed = new HoldingProcess('service', dataDir);
    await query((await killed.ready()).url, 'CREATE TABLE left_behind AS SELECT 1 AS one');
    await killed.kill();
    const next = new HoldingProcess('service', dataDir);
    expect(await query((await next.ready()).url, 'SELECT one FROM left_behind')).toEqual([{ one: 1 }]);
    await next.stop();
  });
});
