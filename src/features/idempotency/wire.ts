import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneIdempotencyKeysJob } from './idempotency-keys.job.js';
import { Idempotency } from './idempotency.service.js';

/** Idempotency keys of REST requests. */
export function wireIdempotency({ db, clock, secrets }: Platform): Feature & { service: Idempotency } {
  const service = new Idempotency(db, clock, secrets);
  return { service, jobs: [pruneIdempotencyKeysJob(service)] };
}
