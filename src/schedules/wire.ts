import { type Feature } from '../feature.js';
import { type Floor } from '../floor.js';
import { type RunQueue } from '../runs/run-queue.js';
import { fireSchedulesJob } from './schedule.jobs.js';

/** Fires workflows by the clock. */
export function wireSchedules({ db, clock, logger }: Floor, { queue }: { queue: RunQueue }): Feature {
  return { jobs: [fireSchedulesJob({ db, clock, queue, logger })] };
}
