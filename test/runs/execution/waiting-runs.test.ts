import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionServices } from '../../../src/features/actions/step-work.js';
import { Notifications } from '../../../src/platform/notifications/notifications.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { RunClaims } from '../../../src/features/runs/execution/claim-runs.js';
import { RunTally } from '../../../src/features/runs/feed/run-tally.js';
import { resumeRunsJob } from '../../../src/features/runs/waiting-runs.job.js';
import { TriggerWorld } from '../../support/worlds/trigger-world.js';
import { until } from '../../support/until.js';

const logger = createLogger('silent');

let world: TriggerWorld;
let claims: RunClaims;
beforeAll(async () => {
  world = await TriggerWorld.open();
  const { db, clock, queue, actions } = world;
  claims = new RunClaims(db, clock, queue, new Notifications(world.url, logger), actions, new RunTally());
});
afterAll(() => world.close());

const isBlocked = async () => {
  const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await world.db.query(blocked)).length > 0;
};

describe('a run whose wait ends while another worker settles its redelivered job', () => {
  it('is in the queue afterwards', async () => {
    const { db, clock, queue, context } = world;
    const run = await world.run(await world.trigger(), { status: 'running' });
    await db.query(`UPDATE runs SET started_at = $2, resume_at = $2, version = 2 WHERE id = $1`, [run, clock.now()]);
    await db.transaction((tx) => queue.add(tx, [{ uuid: run, accountId: context.accountId }]));
    const jobs = await queue.fetch({ count: 1 });
    const resume = resumeRunsJob({ db, queue });
    let claiming: Promise<unknown>;
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM pgboss.job WHERE id = $1 FOR UPDATE`, [run]);
      claiming = claims.claim(jobs, {}, { services: {} as ActionServices, logger });
      await until(isBlocked);
      await resume.run();
    });
    expect(await claiming!).toEqual({ going: [], busy: [], suspects: [] });
    await resume.run();
    expect(await queue.fetch({ count: 1 })).toMatchObject([{ id: run, retryCount: 0 }]);
    expect(await db.query(`SELECT resume_at FROM runs WHERE id = $1`, [run])).toEqual([{ resume_at: null }]);
  });
});
