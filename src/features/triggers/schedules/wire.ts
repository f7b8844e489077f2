import { type Feature } from '../../../platform/feature.js';
import { type Platform } from '../../../platform/platform.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { fireSchedulesJob } from './schedule.job.js';

/** Wires firing workflows by schedule. */
export function wireSchedules({ db, clock, logger }: Platform, { queue }: { queue: RunQueue }): Feature {
  return { jobs: [fireSchedulesJob({ db, clock, queue, logger })] };
}
