import { BEATS, Heartbeat } from '../../src/process/several/heartbeat.js';
import { until } from '../support/until.js';
import { isRunning, membersOf, returned } from './support/members.js';
import { SeveralWorld } from './support/several-world.js';

describe('a process that hangs', () => {
  it('is killed and started again, the log says why, and others serve in between', async () => {
    const world = await SeveralWorld.open({}, 'test/processes/support/impatient-service.ts');
    try {
      const [victim, other] = membersOf(world.service);
      process.kill(victim!, 'SIGSTOP');
      // All but the one that is handed to the stopped process.
      const outcomes: (number | 'cut')[] = [];
      const asked = Array.from({ length: 4 }, async () =>
        outcomes.push(
          await world.get('/livez').then(
            ({ status }) => status,
            () => 'cut' as const,
          ),
        ),
      );
      await until(() => outcomes.length === 3);
      expect([outcomes, isRunning(victim!)]).toEqual([[200, 200, 200], true]);
      await returned(world.service, 1);
      await Promise.all(asked);
      expect(outcomes.at(-1)).toBe('cut');
      expect(isRunning(victim!)).toBe(false);
      expect(membersOf(world.service)).toContain(other);
      const line = world.service.output.split('\n').find((each) => each.includes('has not responded'));
      expect(JSON.parse(line!)).toMatchObject({ level: 'error', pid: victim, seconds: 4 });
      expect(world.service.output).toContain('"ended_by":"SIGKILL"');
      const pids = new Set<number>();
      await until(async () => pids.add(await world.pidOf((await world.get('/livez')).requestId)).size === 2);
      expect(await world.service.stop()).toBe(0);
    } finally {
      await world.close();
    }
  });

  /** A heartbeat whose pings a test answers, and how often it found the process hung. */
  function watched() {
    const pings: PromiseWithResolvers<void>[] = [];
    const found = { hung: 0 };
    const ask = () => {
      const ping = Promise.withResolvers<void>();
      pings.push(ping);
      return ping.promise as Promise<never>;
    };
    return { heartbeat: new Heartbeat({ ask }, () => (found.hung += 1)), pings, found };
  }

  it('is one without a response for 60 s: not one that responds after 55', async () => {
    expect(BEATS.everyMs * BEATS.most).toBe(60_000);
    const { heartbeat, pings, found } = watched();
    for (let beat = 0; beat < BEATS.most; beat += 1) heartbeat.beat();
    pings[0]!.resolve();
    await pings[0]!.promise;
    for (let beat = 0; beat < BEATS.most; beat += 1) heartbeat.beat();
    expect([pings.length, found.hung]).toEqual([2, 0]);
    heartbeat.beat();
    expect(found.hung).toBe(1);
  });

  it('is also one to which no ping can be sent for 60 s, and not one whose pings get through again', async () => {
    const { heartbeat, pings, found } = watched();
    const fail = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        heartbeat.beat();
        const ping = pings.at(-1)!;
        ping.reject(new Error('write EAGAIN'));
        await ping.promise.catch(() => undefined);
      }
    };
    await fail(BEATS.most - 1);
    heartbeat.beat();
    pings.at(-1)!.resolve();
    await pings.at(-1)!.promise;
    await fail(BEATS.most - 1);
    expect(found.hung).toBe(0);
    await fail(1);
    expect(found.hung).toBe(1);
  });
});
