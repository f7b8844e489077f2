import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { PATIENCE_MS } from '../../platform/db/connections/limits.js';
import { eachDue } from '../../platform/jobs/each-alone.js';
import { inTurns } from '../../platform/jobs/in-turns.js';
import { LockedAccounts } from '../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type AuthorizationFlows } from './connect/authorization-flow.js';
import { STORED_WITHIN_MS } from './connect/callback/callback-turns.js';
import { lockByUuid } from './integration.store.js';
import { type StatusReason } from './changes/integration-status.js';
import { type ChangeRecorder } from './changes/record-change.js';
import { type TokenRenewal } from './tokens/token-renewal.js';

/**
 * How long after a callback consumed a state its flow is ended, because its process has died; in milliseconds. The last
 * attempt to store the outcome has locked the integration by then, if its process lives: it waits for a connection, for
 * the start of its transaction and for the lock.
 */
export const ABANDONED_MS = STORED_WITHIN_MS + 3 * PATIENCE_MS;
const BATCH = 100;
/** Renewals under way in a process. One account has half of them at most, and one provider four fifths. */
export const RENEWALS_AT_ONCE = 60;

/** A flow that has to end. */
interface OverFlow extends Record<string, unknown> {
  id: string;
  /** Of its integration. */
  uuid: string;
  account: string;
  consumed: boolean;
}

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
  const ofFlows = new LockedAccounts();
  const ofExpiry = new LockedAccounts();
  return [
    {
      name: 'end authorizations',
      what: 'Ends flows that are older than ten minutes or whose process died.',
      everyMs: 2_000,
      run: () => endAuthorizations(deps, ofFlows),
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
      run: () => expireIntegrations(deps, ofExpiry),
    },
  ];
}

/**
 * Ends flows older than ten minutes, and those whose process died between consuming the state and storing the outcome.
 */
export async function endAuthorizations(
  { db, flows }: Pick<IntegrationJobDependencies, 'db' | 'flows'>,
  locked = new LockedAccounts(),
): Promise<void> {
  const over = inTurns(
    `SELECT a.id, i.id AS uuid, i.account_id AS account, a.expires_at AS at, a.consumed_at IS NOT NULL AS consumed
     FROM authorizations a JOIN integrations i ON i.id = a.integration_id AND i.deleted_at IS NULL
     WHERE ((a.consumed_at IS NULL AND a.expires_at <= clock_now())
       OR a.consumed_at <= clock_now() - ${ABANDONED_MS} * interval '1 ms') AND i.account_id <> ALL ($2::uuid[])`,
  );
  await eachDue({
    ...{ db, locked, batch: BATCH },
    due: (limit, resting) => db.query<OverFlow>(`${over} LIMIT $1`, [limit, resting]),
    work: async (tx, { id, uuid, consumed }) => {
      const integration = await lockByUuid(tx, uuid);
      const reason: StatusReason = consumed ? 'exchange_failed' : 'authorization_timed_out';
      if (integration !== undefined) await flows.fail(tx, integration, id, reason);
    },
  });
}

/** Expires connected integrations whose end has come and that can't be renewed. */
export async function expireIntegrations(
  { db, changes }: Pick<IntegrationJobDependencies, 'db' | 'changes'>,
  locked = new LockedAccounts(),
): Promise<void> {
  // While an access token can be renewed, the connection ends only with a stated end of the refresh token, and only
  // after a renewal has failed: one that came too late may still succeed. A claimed integration is being renewed and
  // may get a new end.
  const hasExpired = `status = 'connected' AND expires_at <= clock_now() AND deleted_at IS NULL
    AND (renew_at IS NULL OR (refresh_expires_at <= clock_now() AND renewal_failures > 0))
    AND (renewal_until IS NULL OR renewal_until <= clock_now())`;
  const due = inTurns(
    `SELECT id, account_id AS account, expires_at AS at FROM integrations
     WHERE ${hasExpired} AND account_id <> ALL ($2::uuid[])`,
  );
  await eachDue({
    ...{ db, locked, batch: BATCH },
    due: (limit, resting) => db.query<{ id: string; account: string }>(`${due} LIMIT $1`, [limit, resting]),
    work: async (tx, { id }) => {
      await lockByUuid(tx, id);
      const still = await tx.query(
        `UPDATE integrations SET renew_at = NULL WHERE ${hasExpired} AND id = $1 RETURNING 1 AS one`,
        [id],
      );
      if (still.length > 0) await changes.record(tx, id, { from: 'connected', to: 'expired', reason: 'token_expired' });
    },
  });
}
