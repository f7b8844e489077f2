import { type Feature } from '../feature.js';
import { type Floor } from '../floor.js';
import { resealJobs } from './reseal.job.js';

/** Seals what older keys have sealed with the newest one. */
export function wireEncryption({ db, secrets, logger }: Floor): Feature {
  return { jobs: resealJobs({ db, secrets, logger }) };
}
