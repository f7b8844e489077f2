import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { resealJobs } from './reseal.job.js';

/** The job that replaces older keys. Encryption itself is `platform/encryption/secrets.ts`. */
export function wireEncryption({ db, secrets, logger }: Platform): Feature {
  return { jobs: resealJobs({ db, secrets, logger }) };
}
