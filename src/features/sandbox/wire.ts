import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneSandboxGrantsJob } from './sandbox-grants.job.js';

/** Wires the job of the sandbox, which deletes expired grants; `sandboxRouter` serves its pages. */
export function wireSandbox({ db, clock }: Platform): Feature {
  return { jobs: [pruneSandboxGrantsJob(db, clock)] };
}
