import { prune } from '../../platform/db/in-batches.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';

const HOUR_MS = 3_600_000;

/** Wires the job of the sandbox, which deletes expired grants; `sandboxRouter` serves its pages. */
export function wireSandbox({ db, clock }: Platform): Feature {
  return {
    jobs: [
      {
        name: 'prune sandbox grants',
        everyMs: HOUR_MS,
        run: (signal) => prune(db, signal, { table: 'sandbox_grants', column: 'expires_at', until: clock.now() }),
      },
    ],
  };
}
