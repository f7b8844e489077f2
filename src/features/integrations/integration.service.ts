import { AppError, isDatabaseAway } from '../../platform/errors.js';
import { UnreadableError } from '../../platform/encryption/unreadable.js';
import { type ChangeFeed } from '../../platform/changes/change-feed.js';
import { latestChange } from '../../platform/changes/latest-change.js';
import { longPoll, type LongPoll, type LongPolls } from '../../platform/long-poll.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { isFar, type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { demandNoTransaction } from '../../platform/http/outbound/outbound.js';
import { actorId } from '../../platform/graphql/actor.js';
import { type RequestContext } from '../../platform/context.js';
import { authOf } from './apps/app.js';
import { type AppRegistry } from './apps/registry.js';
import { type AuthorizationFlows } from './connect/authorization-flow.js';
import { Integration } from './integration.entity.js';
import { integrationFilter } from './integration-filter.js';
import { type GetIntegrationArgs, type IntegrationFilter, type IntegrationTest } from './integration.inputs.js';
import { findIntegration, lockIntegration, type StoredIntegration } from './integration.store.js';
import { type Connection, type Connections, type Used } from './tokens/connections.js';
import { kindOf } from './tokens/credentials.js';
import { type DeadConnections } from './tokens/dead-connections.js';
import { REFUSED } from './tokens/end-refused.js';
import { type Check, isVerifiable, type Probe } from './tokens/probe.js';
import { type IntegrationStatusChange } from './changes/integration-change.entity.js';
import { type ChangeRecorder } from './changes/record-change.js';
import { type TokenRevocation } from './tokens/token-revocation.js';

/** The dependencies of `IntegrationService`. */
export interface IntegrationDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  apps: AppRegistry;
  flows: AuthorizationFlows;
  feed: ChangeFeed<IntegrationStatusChange>;
  probe: Probe;
  connections: Connections;
  dead: DeadConnections;
  revocation: TokenRevocation;
  polls: LongPolls;
}

/** An integration, and whether it is what a client waits for. */
interface Found {
  integration: Integration;
  isThere: boolean;
}

/** Errors of an integration that changed during a test, or that must be reconnected. */
const CHANGED: ReadonlySet<string> = new Set(['not_connected', 'conflict', 'not_found']);

/** Lists, awaits, tests, disconnects and deletes integrations. `ConnectService` connects them. */
export class IntegrationService {
  constructor(private readonly deps: IntegrationDependencies) {}

  /** One page of the account's integrations, newest first; `counts`: whether the total is needed. */
  list(
    { accountId }: RequestContext,
    filter: IntegrationFilter,
    span: Span,
    counts = true,
  ): Promise<Page<Integration>> {
    const condition = integrationFilter(filter, this.deps.clock.now());
    const { db } = this.deps;
    const isSought = Boolean(filter.status || filter.type || filter.search || filter.needsAttention);
    const on = isSought || isFar(span) ? db.expensive : db;
    return selectPage(
      on,
      { entity: Integration, prefix: 'int', from: 'integrations i', accountId, ...condition },
      span,
      counts ? db.expensive : null,
    );
  }

  /** The types of which the account has an integration. Reads every integration of the account. */
  async typesInUse({ accountId }: RequestContext): Promise<ReadonlySet<string>> {
    const rows = await this.deps.db.expensive.query<{ type: string }>(
      `SELECT DISTINCT i.type FROM integrations i WHERE i.account_id = $1 AND i.deleted_at IS NULL`,
      [accountId],
    );
    return new Set(rows.map(({ type }) => type));
  }

  /** See `latestChange`. */
  latestChange({ accountId }: RequestContext): Promise<string> {
    const { db, feed } = this.deps;
    return latestChange(feed.log, db, accountId);
  }

  /**
   * One integration. With `wait`, returns once it is not pending and no flow is open, or, with `afterVersion`, once the
   * version is greater, or after that many seconds. Waiting holds no database connection.
   * @throws AppError `not_found`, `unauthorized`; `rate_limited` if the caller has too many waiting requests.
   */
  async get(context: RequestContext, { id, wait, afterVersion }: GetIntegrationArgs): Promise<Integration> {
    if (!wait) return findIntegration(this.deps.db, context, id);
    const read =
      typeof afterVersion === 'number'
        ? async () => {
            const integration = await findIntegration(this.deps.db, context, id);
            return { integration, isThere: integration.version > afterVersion };
          }
        : () => this.settled(context, id);
    const found = await read();
    if (found.isThere) return found.integration;
    const { uuid } = found.integration;
    const waited = await this.deps.polls.run(context.caller, (ended) =>
      this.await(context, uuid, { milliseconds: wait * 1_000, signals: [context.signal, ended] }, read),
    );
    return waited.integration;
  }

  /** An integration, and whether no flow of it is open: of a connected one, too, that is being reconnected. */
  private async settled(context: RequestContext, id: string): Promise<Found> {
    // Before the integration: a flow that ends in between has its outcome there.
    const isOpen = await this.deps.flows.isOpen(this.deps.db, id);
    const integration = await findIntegration(this.deps.db, context, id);
    return { integration, isThere: integration.status !== 'pending' && !isOpen };
  }

  private async await(
    context: RequestContext,
    uuid: string,
    limits: Pick<LongPoll<Found>, 'milliseconds' | 'signals'>,
    read: () => Promise<Found>,
  ): Promise<Found> {
    return longPoll({
      listen: async (ring) => {
        const { detach } = await this.deps.feed.listen(context.accountId, (change) => {
          if (change.integrationId === uuid) ring();
        });
        return detach;
      },
      read,
      isThere: ({ isThere }) => isThere,
      ...limits,
    });
  }

  /** Ends the connection and any open flow, and revokes its tokens at the provider. A second call changes nothing. */
  async disconnect(context: RequestContext, id: string): Promise<Integration> {
    return this.deps.db.transaction(async (tx) => {
      const before = await lockIntegration(tx, context, id);
      const flow = await this.deps.flows.take(tx, before.uuid);
      // A refused key leaves a flow open, which would connect the integration again.
      if (before.status === 'disconnected' && flow === undefined) return before;
      await tx.query(
        `UPDATE integrations SET credentials = NULL, access_expires_at = NULL, refresh_expires_at = NULL, expires_at = NULL,
           renew_at = NULL, renewal_id = NULL, renewal_until = NULL WHERE id = $1`,
        [before.uuid],
      );
      const change = {
        from: before.status,
        to: 'disconnected',
        reason: 'disconnected_by_user',
        hops: context.hops,
        actor: actorId(context.caller),
      } as const;
      const after = await this.deps.changes.record(tx, before.uuid, change);
      await this.revokeEnded(tx, before);
      return after;
    });
  }

  /** Marks an integration as deleted, with a last change for listeners, and revokes its tokens. @returns the id. */
  async delete(context: RequestContext, id: string): Promise<string> {
    await this.deps.db.transaction(async (tx) => {
      const integration = await lockIntegration(tx, context, id);
      await this.deps.flows.take(tx, integration.uuid);
      const change = {
        from: integration.status,
        to: 'disconnected',
        reason: 'deleted',
        hops: context.hops,
        actor: actorId(context.caller),
      } as const;
      await this.deps.changes.record(tx, integration.uuid, change);
      await tx.query(
        `UPDATE integrations SET deleted_at = $2, credentials = NULL, provider_secret = NULL, renew_at = NULL, renewal_id = NULL,
           renewal_until = NULL, external_id = NULL, external_name = NULL WHERE id = $1`,
        [integration.uuid, this.deps.clock.now()],
      );
      await this.revokeEnded(tx, integration);
    });
    return id;
  }

  /**
   * Asks the application whether the credentials work. Refused credentials end the connection; a refused token is
   * renewed first if possible. A failure to respond changes nothing. What the test learns, e.g. a renewed token, is
   * stored even if the request is rolled back. @throws AppError `conflict` behind another operation of a unit of work.
   */
  async test(context: RequestContext, id: string): Promise<IntegrationTest> {
    demandNoTransaction();
    return this.deps.db.outsideUnitOfWork(() => this.testNow(context, id));
  }

  private async testNow(context: RequestContext, id: string, isRepeated = false): Promise<IntegrationTest> {
    const { status, type, auth } = await findIntegration(this.deps.db, context, id);
    if (status !== 'connected') return { ok: false, reason: status };
    const app = this.deps.apps.get(type);
    if (app !== undefined && !isVerifiable(app, auth)) return { ok: false, reason: 'unverifiable' };
    try {
      const { answer, connection } = await this.ask(context, id);
      if (answer !== 'refused') return { ok: answer === 'ok', reason: answer === 'ok' ? null : answer };
      if (await this.deps.dead.end(connection, context.hops))
        return { ok: false, reason: REFUSED[kindOf(connection.credentials)].reason };
      // Replaced in between: the refusal was about the old credentials.
      return isRepeated ? { ok: false, reason: 'verification_failed' } : await this.testNow(context, id, true);
    } catch (error) {
      if (error instanceof UnreadableError) return { ok: false, reason: 'credentials_unreadable' };
      if (!(error instanceof AppError) || isDatabaseAway(error)) throw error;
      if (!CHANGED.has(error.code)) return { ok: false, reason: error.code };
      const { status, statusReason } = await findIntegration(this.deps.db, context, id);
      return { ok: false, reason: status === 'connected' ? 'conflict' : (statusReason ?? status) };
    }
  }

  private async ask({ accountId }: RequestContext, integrationId: string): Promise<Used<Check>> {
    const { connections, probe } = this.deps;
    const ask = (connection: Connection) => probe.check(connection);
    return connections.use(await connections.open(accountId, { integrationId }), ask, (answer) => answer === 'refused');
  }

  /**
   * Revokes the tokens after the commit. Asks before it whether others need the grant: no repetition would revoke that of a
   * connection that has ended. The recorded change has locked the account, so of two that end at once one sees the other's end.
   */
  private async revokeEnded(tx: Transaction, integration: StoredIntegration): Promise<void> {
    const { type, accountId, externalId, uuid, parameters } = integration;
    const app = this.deps.apps.get(type);
    const auth = app && authOf(app, 'oauth2');
    if (app === undefined || auth === undefined || integration.auth !== 'oauth2') return;
    if (integration.credentials === null) return;
    const target = { app, parameters, accountId };
    if (auth.revocationEndsGrant && (await this.deps.revocation.isShared(tx, target, { uuid, externalId }))) return;
    tx.afterCommit(() => this.deps.revocation.later(target, integration));
  }
}
