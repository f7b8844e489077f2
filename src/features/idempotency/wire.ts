import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneIdempotencyKeysJob } from './idempotency-keys.job.js';
import { KeptBytes } from './kept-bytes.js';
import { Idempotency } from './idempotency.service.js';

/** Idempotency keys of REST requests. */
export function wireIdempotency({
  db,
  clock,
  secrets,
  longWork,
  siblings,
}: Platform): Feature & { service: Idempotency } {
  const service = new Idempotency(db, clock, secrets, longWork, new KeptBytes(clock, siblings?.spending('kept')));
  return { service, jobs: [pruneIdempotencyKeysJob(service)] };
}
