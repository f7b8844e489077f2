import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type AuthorizationFlows } from './connect/authorization-flow.js';
import { eachAlone, eachDue } from './tokens/each-alone.js';
import { lockByUuid } from './integration.store.js';
import { type StatusReason } from './changes/integration-status.js';
import { type ChangeRecorder } from './changes/record-change.js';
import { type TokenRenewal } from './tokens/token-renewal.js';

/**
 * A callback ends within 25 s after it consumed a state: it exchanges the code for 10 s at most, and repeats what the
 * database refuses for 10 s more. After this time its process has died. In milliseconds.
 */
const ABANDONED_MS = 30_000;
const BATCH = 100;
/** Renewals under way in a process. One account has half of them at most, and one provider four fifths. */
export const RENEWALS_AT_ONCE = 60;

/** The dependencies of `integrationJobs`. */
export interface IntegrationJobDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  flows: AuthorizationFlows;
  renewal: TokenRenewal;
}

/** The jobs that end flows, and renew or expire tokens. */
export function integrationJobs(deps: IntegrationJobDependencies): PeriodicJob[] {
  return [
    {
      name: 'end authorizations',
      what: 'Ends flows that are older than ten minutes or whose process died.',
      everyMs: 2_000,
      run: () => endAuthorizations(deps),
    },
    {
      name: 'renew tokens',
      what: 'Renews access tokens before they expire.',
      everyMs: 2_000,
      run: async (signal) => void (await deps.renewal.renewDue(RENEWALS_AT_ONCE, signal)),
    },
    {
      name: 'expire integrations',
      what: 'Marks connections as expired whose token has expired and cannot be renewed.',
      everyMs: 2_000,
      run: () => expireIntegrations(deps),
    },
  ];
}

/**
 * Ends flows older than ten minutes, and those whose process died between consuming the state and storing the outcome.
 */
export async function endAuthorizations({
  db,
  flows,
}: Pick<IntegrationJobDependencies, 'db' | 'flows'>): Promise<void> {
  const over = await db.query<{ id: string; integration_id: string; consumed: boolean }>(
    `SELECT id, integration_id, consumed_at IS NOT NULL AS consumed FROM authorizations
     WHERE (consumed_at IS NULL AND expires_at <= clock_now())
       OR consumed_at <= clock_now() - ${ABANDONED_MS} * interval '1 ms'
     ORDER BY expires_at LIMIT ${BATCH}`,
  );
  await eachAlone(over, ({ id, integration_id: uuid, consumed }) => {
    const reason: StatusReason = consumed ? 'exchange_failed' : 'authorization_timed_out';
    return db.transaction(async (tx) => {
      const integration = await lockByUuid(tx, uuid);
      if (integration !== undefined) await flows.fail(tx, integration, id, reason);
    });
  });
}

/** Expires connected integrations whose end has come and that can't be renewed. */
export async function expireIntegrations({
  db,
  changes,
}: Pick<IntegrationJobDependencies, 'db' | 'changes'>): Promise<void> {
  // While an access token can be renewed, the connection ends only with a stated end of the refresh token, and only
  // after a renewal has failed: one that came too late may still succeed. A claimed integration is being renewed and
  // may get a new end.
  const hasExpired = `status = 'connected' AND expires_at <= clock_now() AND deleted_at IS NULL
    AND (renew_at IS NULL OR (refresh_expires_at <= clock_now() AND renewal_failures > 0))
    AND (renewal_until IS NULL OR renewal_until <= clock_now())`;
  const due = `SELECT id FROM integrations WHERE ${hasExpired} ORDER BY expires_at LIMIT $1`;
  const expire = (id: string) =>
    db.transaction(async (tx) => {
      await lockByUuid(tx, id);
      const still = await tx.query(
        `UPDATE integrations SET renew_at = NULL WHERE ${hasExpired} AND id = $1 RETURNING 1 AS one`,
        [id],
      );
      if (still.length > 0) await changes.record(tx, id, { from: 'connected', to: 'expired', reason: 'token_expired' });
    });
  await eachDue(
    BATCH,
    (limit) => db.query<{ id: string }>(due, [limit]),
    ({ id }) => expire(id),
  );
}
