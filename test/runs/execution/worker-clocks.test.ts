import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WrongClock } from '../../support/clock.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { RunWorld } from '../../support/worlds/run-world.js';

const MINUTES = 60_000;
const DELAY = { name: 'p', kind: 'delay', config: { seconds: 600 } };
const CALLBACK = { name: 'w', kind: 'wait_for_callback', config: { timeout_seconds: 600 } };

let api: RunWorld;
beforeAll(async () => {
  api = await RunWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => api.close());

/** Runs `work` while the only worker has a clock that is ahead by this many milliseconds. */
async function withWorker(ahead: number, work: () => Promise<void>): Promise<void> {
  const { database, clock } = api.server;
  const worker: TestServer = await startTestServer({
    database,
    clock: new WrongClock(clock, ahead),
    env: { ROLES: 'worker' },
  });
  try {
    await work();
  } finally {
    await worker.close();
  }
}

/** How long after the creation of its run a step is to continue, in minutes. */
const minutesAfter = (later: string, run: { created_at: string }) =>
  Math.floor((Date.parse(later) - Date.parse(run.created_at)) / MINUTES);

describe('the clock of the database decides when a run continues', () => {
  it.each([-5, 5])('for a worker whose clock is %i minutes ahead', async (minutes) => {
    const delayed = await api.workflow([DELAY]);
    const waiting = await api.workflow([CALLBACK]);
    await withWorker(minutes * MINUTES, async () => {
      const [run, other] = [await api.fire(delayed.hook), await api.fire(waiting.hook)];
      expect(minutesAfter(await api.asleep(run), await api.run(run))).toBe(10);
      await until(async () => (await api.run(other)).status === 'waiting');
      const [wait] = (await api.client.rest('GET', `/waits?run_id=${other}`)).body.data;
      expect(minutesAfter(wait.expires_at, await api.run(other))).toBe(10);
      await api.server.advance(10 * MINUTES);
      expect(await api.ended(run)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] });
      expect(await api.ended(other)).toMatchObject({ status: 'failed', error: { code: 'wait_expired' } });
    });
  });

  it('for a run that one worker sent to sleep, and that a worker whose clock is behind continues', async () => {
    const { hook } = await api.workflow([DELAY]);
    let run = '';
    await withWorker(0, async () => {
      run = await api.fire(hook);
      await api.asleep(run);
    });
    await api.server.advance(10 * MINUTES);
    await withWorker(-5 * MINUTES, async () => {
      expect(await api.ended(run)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] });
    });
  });
});
