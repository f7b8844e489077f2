import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { missingCaptures } from '../apps/captures.js';
import { type AppRegistry } from '../apps/registry.js';
import { Authorization } from './authorization.entity.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { Integration } from '../integration.entity.js';
import {
  findByUuid,
  lockByUuid,
  selectIntegrations,
  storeConnection,
  type StoredIntegration,
} from '../integration.store.js';
import { type StatusReason } from '../changes/integration-status.js';
import { type Grant, type OAuthProtocol, type OAuthTarget } from '../tokens/oauth-client.js';
import { type ExternalAccount, type Probe } from '../tokens/probe.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { nothingKept, storeGrant } from '../tokens/store-grant.js';
import { type TokenRevocation } from '../tokens/token-revocation.js';

/** The time limit for the exchange and the identity request together, in milliseconds. */
export const EXCHANGE_MS = 10_000;
const COLUMNS = columnsOf(Authorization, 'f');

/** The result of a callback. `unknown_state`: no flow was found, and nothing changed. */
export type CallbackOutcome =
  | { kind: 'unknown_state' }
  | {
      kind: 'ended';
      integration: Integration;
      app: App;
      reason: StatusReason;
      returnUrl: string | null;
      forged: boolean;
    };

/** The dependencies of `OAuthCallback`. */
export interface CallbackDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  secrets: Secrets;
  apps: AppRegistry;
  protocol: OAuthProtocol;
  probe: Probe;
  flows: AuthorizationFlows;
  revocation: TokenRevocation;
  logger: Logger;
}

/** A flow whose state this callback has consumed; no other callback can. */
interface TakenFlow {
  flow: Authorization;
  integration: Integration;
  app: App;
}

/**
 * Completes OAuth flows in three steps: one statement consumes the state, the code is exchanged outside any
 * transaction, and one transaction stores the outcome.
 */
export class OAuthCallback {
  constructor(private readonly deps: CallbackDependencies) {}

  /** Handles the redirect from a provider. `browser`: the value of the browser's cookie, if it has one. */
  async complete(type: string, query: URLSearchParams, browser: string | undefined): Promise<CallbackOutcome> {
    const taken = await this.take(type, query.get('state'), browser);
    if (taken === undefined) return { kind: 'unknown_state' };
    const { integration, app } = taken;
    const issuer = this.deps.protocol.issuer({ app, parameters: integration.parameters });
    const forged = query.has('iss') && issuer !== undefined && query.get('iss') !== issuer;
    if (forged) return this.fail(taken, 'exchange_failed', true);
    if (query.has('error'))
      return this.fail(taken, query.get('error') === 'access_denied' ? 'access_denied' : 'exchange_failed');
    return this.exchange(taken, query);
  }

  /**
   * Consumes the state atomically: only one of two callbacks gets it. The callback of another type does not consume it.
   */
  private async take(type: string, state: string | null, browser: string | undefined): Promise<TakenFlow | undefined> {
    const { db, clock, apps } = this.deps;
    const app = apps.get(type);
    if (app === undefined || state === null) return undefined;
    const [flow] = await db.select(
      Authorization,
      `UPDATE authorizations f SET consumed_at = clock_now() FROM integrations i
       WHERE f.state_digest = $1 AND f.consumed_at IS NULL AND f.expires_at > $3
         AND (f.browser_digest IS NULL OR f.browser_digest = $4)
         AND i.id = f.integration_id AND i.type = $2 AND i.deleted_at IS NULL
       RETURNING ${COLUMNS}`,
      [sha256(state), type, clock.now(), browser === undefined ? null : sha256(browser)],
    );
    if (flow === undefined) return undefined;
    const [integration] = await db.select(Integration, selectIntegrations('i.id = $1'), [flow.integrationId]);
    return integration && { flow, integration, app };
  }

  private async exchange(taken: TakenFlow, query: URLSearchParams): Promise<CallbackOutcome> {
    const { protocol, probe, flows } = this.deps;
    const target = targetOf(taken);
    const deadline = performance.now() + EXCHANGE_MS;
    const left = (): number => Math.max(1, deadline - performance.now());
    let grant: Grant;
    try {
      grant = await protocol.exchange(target, query, flows.open(taken.flow).verifier, left());
    } catch (error) {
      return this.fail(taken, 'exchange_failed', false, error);
    }
    const missing = missingCaptures(taken.app, 'oauth2', grant.captured);
    if (missing.length > 0) {
      await this.discard(taken, grant);
      return this.fail(taken, 'exchange_failed', false, new Error(`The token response lacks ${missing.join(', ')}.`));
    }
    let account: ExternalAccount | undefined;
    try {
      const credentials = { accessToken: grant.accessToken, refreshToken: null, captured: grant.captured };
      account = await probe.identify(target, credentials, left());
    } catch (error) {
      await this.discard(taken, grant);
      return this.fail(taken, 'verification_failed', false, error);
    }
    try {
      return await this.store(taken, grant, account);
    } catch (error) {
      // The account has too much to record already, or gets no turn. Its code is used up, so the flow ends.
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
      await this.discard(taken, grant);
      return this.fail(taken, 'exchange_failed', false, error);
    }
  }

  private async store(taken: TakenFlow, grant: Grant, account: ExternalAccount | undefined): Promise<CallbackOutcome> {
    const { db, clock, changes, flows, revocation } = this.deps;
    const target = targetOf(taken);
    const stored = await db.transaction(async (tx) => {
      const before = await lockByUuid(tx, taken.integration.uuid);
      if (before === undefined) return undefined;
      if (isAnother(before, account)) {
        const integration = await flows.fail(tx, before, taken.flow.uuid, 'account_mismatch');
        return integration && { integration, reason: 'account_mismatch' as const, replaced: undefined };
      }
      const flow = await flows.take(tx, before.uuid, taken.flow.uuid);
      if (flow === undefined) return undefined;
      await storeGrant(tx, this.deps, before, grant, nothingKept(taken.app));
      await storeConnection(tx, before.uuid, { at: clock.now(), account });
      const reason = before.lastConnectedAt === null ? ('connected' as const) : ('reconnected' as const);
      const { hops } = flow;
      const integration = await changes.record(tx, before.uuid, { from: before.status, to: 'connected', reason, hops });
      return { integration, reason, replaced: before };
    });
    if (stored?.replaced) revocation.laterUnneeded(target, stored.replaced, grant);
    else await this.discard(taken, grant);
    // The flow was ended during the request to the provider: the new tokens are not used.
    if (stored === undefined) return this.overtaken(taken);
    return this.ended(taken, stored.integration, stored.reason);
  }

  /** Revokes unused tokens, except those that the integration also has. */
  private async discard(taken: TakenFlow, grant: Grant): Promise<void> {
    const present = await findByUuid(this.deps.db, taken.integration.uuid);
    this.deps.revocation.laterUnneeded(targetOf(taken), grant, present);
  }

  private async fail(
    taken: TakenFlow,
    reason: StatusReason,
    forged = false,
    cause?: unknown,
  ): Promise<CallbackOutcome> {
    if (cause !== undefined) {
      this.deps.logger.warn(
        { type: taken.app.type, integration_id: taken.integration.id, reason, ...errorFields(cause) },
        'oauth flow failed',
      );
    }
    const integration = await this.deps.db.transaction(async (tx) => {
      const locked = await lockByUuid(tx, taken.integration.uuid);
      return locked && this.deps.flows.fail(tx, locked, taken.flow.uuid, reason);
    });
    return integration === undefined ? this.overtaken(taken) : this.ended(taken, integration, reason, forged);
  }

  private ended(taken: TakenFlow, integration: Integration, reason: StatusReason, forged = false): CallbackOutcome {
    return { kind: 'ended', integration, app: taken.app, reason, returnUrl: taken.flow.returnUrl, forged };
  }

  private async overtaken(taken: TakenFlow): Promise<CallbackOutcome> {
    const [integration] = await this.deps.db.select(Integration, selectIntegrations('i.id = $1'), [
      taken.integration.uuid,
    ]);
    return integration ? this.ended(taken, integration, 'superseded') : { kind: 'unknown_state' };
  }
}

function targetOf({ app, integration: { parameters, accountId } }: TakenFlow): OAuthTarget {
  return { app, parameters, accountId };
}

function isAnother(before: StoredIntegration, account: ExternalAccount | undefined): boolean {
  return before.externalId !== null && account !== undefined && before.externalId !== account.id;
}
