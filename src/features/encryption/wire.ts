import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { resealJobs } from './reseal.job.js';

/** Seals what older keys have sealed with the newest one. */
export function wireEncryption({ db, secrets, logger }: Platform): Feature {
  return { jobs: resealJobs({ db, secrets, logger }) };
}
