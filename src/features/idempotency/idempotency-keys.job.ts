import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type Idempotency } from './idempotency.service.js';

/** Deletes old keys. */
export function pruneIdempotencyKeysJob(keys: Idempotency): PeriodicJob {
  return {
    name: 'prune idempotency keys',
    what: 'Deletes idempotency keys and their stored responses after 24 hours.',
    everyMs: 3_600_000,
    run: (signal) => keys.prune(signal),
  };
}
