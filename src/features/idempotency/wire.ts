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
  stored,
  siblings,
}: Platform): Feature & { service: Idempotency } {
  const kept = new KeptBytes(clock, siblings?.spending('kept'));
  const service = new Idempotency(db, clock, secrets, longWork, kept, stored);
  return { service, jobs: [pruneIdempotencyKeysJob(service)] };
}
