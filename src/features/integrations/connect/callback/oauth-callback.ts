import { workFor } from '../../../../platform/admission/work.js';
import { type Clock } from '../../../../platform/clock.js';
import { columnsOf } from '../../../../platform/db/columns.js';
import { type Database } from '../../../../platform/db/database.js';
import { AppError, isDatabaseAway } from '../../../../platform/errors.js';
import { newUuid } from '../../../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../../../platform/logging/logger.js';
import { type Secrets, sha256 } from '../../../../platform/encryption/secrets.js';
import { type App } from '../../apps/app.js';
import { missingCaptures } from '../../apps/captures.js';
import { type AppRegistry } from '../../apps/registry.js';
import { Authorization } from '../authorization.entity.js';
import { type AuthorizationFlows } from '../authorization-flow.js';
import { CALLBACK_PATIENCE_MS, CallbackTurns, STORED_WITHIN_MS } from './callback-turns.js';
import { Integration } from '../../integration.entity.js';
import {
  findByUuid,
  lockByUuid,
  selectIntegrations,
  storeConnection,
  type StoredIntegration,
} from '../../integration.store.js';
import { type StatusReason } from '../../changes/integration-status.js';
import { type Grant, type OAuthProtocol, type OAuthTarget } from '../../tokens/oauth-client.js';
import { type ExternalAccount, type Probe } from '../../tokens/probe.js';
import { type ChangeRecorder } from '../../changes/record-change.js';
import { nothingKept, storeGrant } from '../../tokens/store-grant.js';
import { type TokenRevocation } from '../../tokens/token-revocation.js';

/** The time limit for the exchange and the identity request together, in milliseconds. */
export const EXCHANGE_MS = 10_000;
const COLUMNS = columnsOf(Authorization, 'f');

/**
 * The result of a callback. `unknown_state`: no flow was found, and nothing changed. While the database is away: `later`
 * if the state is not consumed, so that the same URL may be opened again, and `lost` if it is.
 */
export type CallbackOutcome =
  | { kind: 'unknown_state' }
  | { kind: 'later'; app: App }
  | { kind: 'lost'; app: App }
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
  /** When the last attempt to store its outcome has to begin, in milliseconds of `performance.now()`. */
  until: number;
  /** Whether a transaction that stores its grant may have been committed. */
  mayBeStored?: true;
}

class ConsumedFlow extends Authorization {
  parameters: Record<string, string>;
}

/**
 * Completes OAuth flows in three steps: one statement consumes the state, the code is exchanged outside any
 * transaction, and one transaction stores the outcome. The first and the last are repeated while the database is away.
 */
export class OAuthCallback {
  private readonly turns: CallbackTurns;

  constructor(private readonly deps: CallbackDependencies) {
    this.turns = new CallbackTurns(deps.db);
  }

  /** Handles the redirect from a provider. `browser`: the value of the browser's cookie, if it has one. */
  async complete(type: string, query: URLSearchParams, browser: string | undefined): Promise<CallbackOutcome> {
    const [app, state] = [this.deps.apps.get(type), query.get('state')];
    if (app === undefined || state === null) return { kind: 'unknown_state' };
    const later = this.whenAway(app, 'later');
    const accountId = await this.turns.ownerOf(state).catch(later);
    if (accountId === undefined) return { kind: 'unknown_state' };
    if (typeof accountId !== 'string') return accountId;
    const claim = newUuid(this.deps.clock.now());
    const work = async (until: number): Promise<CallbackOutcome> => {
      const taken = await this.turns.begin(accountId, until, () => this.take(app, state, browser, claim));
      if (taken === undefined) return { kind: 'unknown_state' };
      return this.finish(taken, query).catch(this.whenAway(app, 'lost'));
    };
    return workFor(accountId, () => this.turns.run(accountId, work).catch(later));
  }

  /** What is left of a callback whose patience has ended while the database is away. */
  private whenAway<K extends 'later' | 'lost'>(app: App, kind: K): (error: unknown) => { kind: K; app: App } {
    return (error) => {
      if (!isDatabaseAway(error)) throw error;
      this.deps.logger.warn({ type: app.type, outcome: kind, ...errorFields(error) }, 'oauth callback: no database');
      return { kind, app };
    };
  }

  private async finish(taken: TakenFlow, query: URLSearchParams): Promise<CallbackOutcome> {
    const issuer = this.deps.protocol.issuer(targetOf(taken));
    const forged = query.has('iss') && issuer !== undefined && query.get('iss') !== issuer;
    if (forged) return this.fail(taken, 'exchange_failed', true);
    if (query.has('error'))
      return this.fail(taken, query.get('error') === 'access_denied' ? 'access_denied' : 'exchange_failed');
    return this.exchange(taken, query);
  }

  /**
   * Consumes the state atomically: only one of two callbacks gets it, and gets it again if it repeats this with its
   * `claim`. The callback of another type does not consume it.
   */
  private async take(
    app: App,
    state: string,
    browser: string | undefined,
    claim: string,
  ): Promise<TakenFlow | undefined> {
    const { db, clock } = this.deps;
    // Before the database notes the time of the consumption.
    const until = performance.now() + STORED_WITHIN_MS;
    const [flow] = await db.select(
      ConsumedFlow,
      `UPDATE authorizations f SET consumed_at = clock_now(), consumed_by = $5 FROM integrations i
       WHERE f.state_digest = $1 AND (f.consumed_at IS NULL OR f.consumed_by = $5) AND f.expires_at > $3
         AND (f.browser_digest IS NULL OR f.browser_digest = $4)
         AND i.id = f.integration_id AND i.type = $2 AND i.deleted_at IS NULL
       RETURNING ${COLUMNS}, i.parameters`,
      [sha256(state), app.type, clock.now(), browser === undefined ? null : sha256(browser), claim],
    );
    if (flow === undefined) return undefined;
    const [integration] = await db.select(Integration, selectIntegrations('i.id = $1'), [flow.integrationId]);
    if (integration === undefined) return undefined;
    // Another start may have changed the parameters in between: the code belongs to those of its own flow.
    return { flow, integration: Object.assign(integration, { parameters: flow.parameters }), app, until };
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
      const cause = new Error(`The token response lacks ${missing.join(', ')}.`);
      return this.failAndDiscard(taken, 'exchange_failed', cause, grant);
    }
    let account: ExternalAccount | undefined;
    try {
      const credentials = { accessToken: grant.accessToken, refreshToken: null, captured: grant.captured };
      account = await probe.identify(target, credentials, left());
    } catch (error) {
      return this.failAndDiscard(taken, 'verification_failed', error, grant);
    }
    try {
      return await this.store(taken, grant, account);
    } catch (error) {
      // The account has too much to record already, or gets no turn. Its code is used up, so the flow ends.
      if (error instanceof AppError && error.code === 'rate_limited')
        return this.failAndDiscard(taken, 'exchange_failed', error, grant, account);
      if (!taken.mayBeStored) this.discard(taken, grant, account);
      throw error;
    }
  }

  private async store(taken: TakenFlow, grant: Grant, account: ExternalAccount | undefined): Promise<CallbackOutcome> {
    const { db, clock, changes, flows, revocation } = this.deps;
    const target = targetOf(taken);
    let attempts = 0;
    const stored = await this.turns.end(taken.flow.accountId, taken.until, (attempt) => {
      attempts = attempt;
      return db.transaction(async (tx) => {
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
        const change = { from: before.status, to: 'connected', reason, hops: flow.hops } as const;
        const integration = await changes.record(tx, before.uuid, change);
        taken.mayBeStored = true;
        return { integration, reason, replaced: before };
      });
    });
    if (stored?.replaced) revocation.laterUnneeded(target, stored.replaced, grant);
    else this.discard(taken, grant, account);
    // The flow was ended during the request to the provider: the new tokens are not used.
    if (stored === undefined) return this.overtaken(taken, attempts > 1 ? 'connected' : undefined);
    return this.ended(taken, stored.integration, stored.reason);
  }

  /** Ends the flow first: that has a deadline, and listeners wait for it. */
  private async failAndDiscard(
    taken: TakenFlow,
    reason: StatusReason,
    cause: unknown,
    grant: Grant,
    account?: ExternalAccount,
  ): Promise<CallbackOutcome> {
    try {
      return await this.fail(taken, reason, false, cause);
    } finally {
      this.discard(taken, grant, account);
    }
  }

  /** Reads after the end of the flow, which no deadline of the flow concerns. */
  private afterwards<T>(accountId: string, read: () => Promise<T>): Promise<T> {
    return this.turns.end(accountId, performance.now() + CALLBACK_PATIENCE_MS, read);
  }

  /** Revokes unused tokens, except those that the integration also has. The response does not wait for that. */
  private discard(taken: TakenFlow, grant: Grant, account?: ExternalAccount): void {
    const { uuid, accountId } = taken.integration;
    const owner = { uuid, externalId: account?.id };
    const find = (): Promise<StoredIntegration | undefined> => findByUuid(this.deps.db, uuid);
    this.deps.revocation.laterUnused(targetOf(taken), grant, owner, () => this.afterwards(accountId, find));
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
    let attempts = 0;
    const integration = await this.turns.end(taken.flow.accountId, taken.until, (attempt) => {
      attempts = attempt;
      return this.deps.db.transaction(async (tx) => {
        const locked = await lockByUuid(tx, taken.integration.uuid);
        return locked && this.deps.flows.fail(tx, locked, taken.flow.uuid, reason);
      });
    });
    if (integration !== undefined) return this.ended(taken, integration, reason, forged);
    return this.overtaken(taken, attempts > 1 ? reason : undefined, forged);
  }

  private ended(taken: TakenFlow, integration: Integration, reason: StatusReason, forged = false): CallbackOutcome {
    return { kind: 'ended', integration, app: taken.app, reason, returnUrl: taken.flow.returnUrl, forged };
  }

  /**
   * The outcome of a callback whose flow has ended in between. `own`: how this callback has tried to end it before, in a
   * transaction whose commit may have been lost to it only.
   */
  private async overtaken(taken: TakenFlow, own?: StatusReason, forged = false): Promise<CallbackOutcome> {
    const [integration] = await this.afterwards(taken.flow.accountId, () =>
      this.deps.db.select(Integration, selectIntegrations('i.id = $1'), [taken.integration.uuid]),
    );
    if (integration === undefined) return { kind: 'unknown_state' };
    const isOwn = own !== undefined && (integration.statusReason ?? 'connected') === own;
    return this.ended(taken, integration, isOwn ? own : 'superseded', forged);
  }
}

function targetOf({ app, integration: { parameters, accountId } }: TakenFlow): OAuthTarget {
  return { app, parameters, accountId };
}

function isAnother(before: StoredIntegration, account: ExternalAccount | undefined): boolean {
  return before.externalId !== null && account !== undefined && before.externalId !== account.id;
}
