import { type Feature } from '../feature.js';
import { type Floor } from '../floor.js';
import { Idempotency } from './idempotency.service.js';

/** Keeps the answers that REST repeats. */
export function wireIdempotency({ db, clock, secrets }: Floor): Feature & { service: Idempotency } {
  const service = new Idempotency(db, clock, secrets);
  return { service, jobs: [service.job()] };
}
