import { connect } from 'node:net';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { cleanUp, makeFolder, postmasterOf } from '../db/embedded/holding-process.js';
import { Client } from '../support/http/client.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { isRunning, kill, membersOf } from './support/members.js';
import { SeveralWorld } from './support/several-world.js';

describe('the end of several processes', () => {
  it('comes with status 1 at the fifth death within a minute, and the other process is drained first', async () => {
    const world = await SeveralWorld.open();
    try {
      const { body } = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
      const [other] = membersOf(world.service);
      // Each as soon as it has begun to start: they die within a minute on a busy machine too.
      const victim = async () => {
        const found = () => membersOf(world.service).find((pid) => pid !== other);
        await until(found);
        return found()!;
      };
      for (let death = 1; death < 5; death += 1) {
        const pid = await victim();
        kill(pid);
        await until(() => !membersOf(world.service).includes(pid));
      }
      const polls = Array.from({ length: 4 }, () => world.get(`/v1/integrations/${body.integration_id}?wait=30`));
      await until(async () => (await world.metric('change_listeners ')) === 4);
      kill(await victim());
      expect(await world.service.ended).toBe(1);
      expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(world.service.output).toContain('5 processes died within a minute');
    } finally {
      await world.close();
    }
  });

  it('comes before a start on a port that is taken, with one line and status 1', async () => {
    const world = await SeveralWorld.open({ ROLES: 'worker' });
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const PORT = String((taken.address() as { port: number }).port);
    try {
      const failed = await ServiceProcess.start({ ...world.env, PORT }).catch(({ message }: Error) => message);
      expect(failed).toMatch(/ended with 1/);
      expect((failed as string).split('EADDRINUSE')).toHaveLength(2);
      // Beside it: workers answer monitoring on the one port, and nothing else.
      expect((await world.get('/readyz')).status).toBe(200);
      expect((await world.get('/v1/workflows')).status).toBe(404);
      expect(await world.metric('runs_under_way ')).toBe(0);
      expect(await world.service.stop()).toBe(0);
    } finally {
      taken.close();
      await world.close();
    }
  });
});

describe('several processes on the embedded database', () => {
  const folder = makeFolder();
  afterAll(() => cleanUp(folder));

  it('refuse a second service there, and leave nothing behind when the primary process is killed', async () => {
    const env = { PROCESSES: '2', DATA_DIR: folder, PORT: String(await freePort()), DATABASE_POOL: '4' };
    const service = await ServiceProcess.start(env);
    const refused = await ServiceProcess.start({ ...env, PORT: String(await freePort()) }).catch(
      ({ message }: Error) => message,
    );
    expect(refused).toContain('Another service already runs on the data directory');
    expect((await new Client(`http://localhost:${env.PORT}`).send('GET', '/readyz')).status).toBe(200);
    const all = [...membersOf(service), postmasterOf(folder)];
    expect(all.map(isRunning)).toEqual([true, true, true]);
    await service.kill();
    await until(() => !all.some(isRunning));
    const socket = connect(Number(env.PORT), 'localhost');
    await expect(once(socket, 'connect')).rejects.toThrow();
  });
});
