import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionServices } from '../../../src/features/actions/step-work.js';
import { type Progress } from '../../../src/features/runs/execution/claimed-run.js';
import { RunClaims } from '../../../src/features/runs/execution/claim-runs.js';
import { ProgressLog, type SaveResult } from '../../../src/features/runs/execution/progress.js';
import { RunSpace } from '../../../src/features/runs/execution/run-space.js';
import { RunWorker } from '../../../src/features/runs/execution/run-worker.js';
import { RunTally } from '../../../src/features/runs/feed/run-tally.js';
import { resumeRunsJob } from '../../../src/features/runs/waiting-runs.job.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { Notifications } from '../../../src/platform/notifications/notifications.js';
import { TriggerWorld } from '../../support/worlds/trigger-world.js';
import { until } from '../../support/until.js';

const logger = createLogger('silent');

/** Reports the first result late, as a busy process learns of a commit late. */
class LateProgress extends ProgressLog {
  readonly report = Promise.withResolvers<void>();

  override async save(progress: Progress): Promise<SaveResult> {
    const result = await super.save(progress);
    await this.report.promise;
    return result;
  }
}

let world: TriggerWorld;
let worker: RunWorker;
let progress: LateProgress;
beforeAll(async () => {
  world = await TriggerWorld.open();
  const { db, clock, queue, actions, url } = world;
  const [notifications, tally] = [new Notifications(url, logger), new RunTally()];
  progress = new LateProgress(db, queue, notifications, tally, {
    arrive: () => Promise.reject(new Error('Nothing waits here.')),
  });
  worker = new RunWorker({
    clock,
    logger,
    queue,
    claims: new RunClaims(db, clock, queue, notifications, actions, tally),
    space: new RunSpace(db),
    progress,
    services: { applications: { offersType: () => true } } as unknown as ActionServices,
    tracing: undefined,
  });
});
afterAll(async () => {
  progress.report.resolve();
  await worker.stop();
  await world.close();
});

describe('a run that is due again before its worker knows that it was saved', () => {
  it('continues at once', async () => {
    const { db, queue, actions, context } = world;
    const trigger = await world.trigger();
    await actions.set(context, trigger.workflowId, [{ name: 'p', kind: 'delay', config: { seconds: 600 } }]);
    const run = await world.run(trigger);
    await db.query(`UPDATE runs SET actions_id = (SELECT actions_id FROM workflows WHERE id = $2) WHERE id = $1`, [
      run,
      trigger.workflowUuid,
    ]);
    await db.transaction((tx) => queue.add(tx, [{ uuid: run, accountId: context.accountId }]));
    worker.start();
    const sleeps = `UPDATE runs SET resume_at = clock_now() WHERE id = $1 AND resume_at > clock_now() RETURNING 1 AS one`;
    await until(async () => (await db.query(sleeps, [run])).length === 1);
    await db.query(`UPDATE steps SET started_at = started_at - interval '10 minutes' WHERE run_id = $1`, [run]);
    await resumeRunsJob({ db, queue }).run();
    // Its job is deleted with the commit of its result, which may come before this test looks.
    const isFetched = `SELECT 1 AS one FROM runs r LEFT JOIN pgboss.job j ON j.id = r.id
      WHERE r.id = $1 AND (j.state = 'active' OR r.status = 'succeeded')`;
    await until(async () => (await db.query(isFetched, [run])).length === 1);
    progress.report.resolve();
    // No supervisor runs here that would deliver the job once more.
    const ended = `SELECT 1 AS one FROM runs WHERE id = $1 AND status = 'succeeded'`;
    await until(async () => (await db.query(ended, [run])).length === 1);
    expect(await db.query(`SELECT 1 AS one FROM pgboss.job WHERE id = $1`, [run])).toEqual([]);
  });
});
