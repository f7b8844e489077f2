import { AppError, isDatabaseAway } from '../../platform/errors.js';
import { UnreadableError } from '../../platform/encryption/unreadable.js';
import { awaitNews, type Waits } from '../../platform/long-poll.js';
import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { isFar, offsetOf, type Page, toPage } from '../../platform/db/pagination.js';
import { type RequestContext } from '../../platform/context.js';
import { type AppRegistry } from './apps/registry.js';
import { type AuthorizationFlows } from './connect/authorization-flow.js';
import { type ChangeFeed } from './changes/change-feed.js';
import { openCredentials } from './tokens/credentials.js';
import { Integration } from './integration.entity.js';
import { integrationFilter } from './integration-filter.js';
import { type GetIntegrationArgs, type IntegrationTest, type ListIntegrationsArgs } from './integration.inputs.js';
import { findIntegration, lockIntegration, selectIntegrations, type StoredIntegration } from './integration.store.js';
import { type Probe, RefusedError } from './tokens/probe.js';
import { type ChangeRecorder } from './changes/record-change.js';
import { type TokenRenewal } from './tokens/token-renewal.js';
import { type TokenRevocation } from './tokens/token-revocation.js';

export interface IntegrationDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  secrets: ConstructorParameters<typeof TokenRenewal>[0]['secrets'];
  apps: AppRegistry;
  flows: AuthorizationFlows;
  feed: ChangeFeed;
  probe: Probe;
  renewal: TokenRenewal;
  revocation: TokenRevocation;
  waits: Waits;
}

/** Lists, awaits, tests and ends integrations; connecting them is `ConnectService`'s. */
export class IntegrationService {
  constructor(private readonly deps: IntegrationDependencies) {}

  /** Newest first. */
  async list({ accountId }: RequestContext, args: ListIntegrationsArgs): Promise<Page<Integration>> {
    const { where, values } = integrationFilter(accountId, args, this.deps.clock.now());
    const { db } = this.deps;
    const isSought = Boolean(args.status || args.type || args.search || args.needsAttention);
    const on = isSought || isFar(args) ? db.expensive : db;
    const [items, [count]] = await Promise.all([
      on.select(Integration, `${selectIntegrations(where)} ORDER BY i.id DESC LIMIT $7 OFFSET $8`, [
        ...values,
        args.perPage,
        offsetOf(args),
      ]),
      db.expensive.query<{ total: number }>(
        `SELECT count(*) AS total FROM integrations i WHERE i.deleted_at IS NULL AND ${where}`,
        values,
      ),
    ]);
    return toPage(items, count!.total, args);
  }

  /**
   * One integration; with `wait` once its status is another than pending, or with `afterVersion` too once its version
   * is greater, or when the seconds are over. Waiting holds no database connection.
   * @throws AppError `not_found`, `unauthorized`; `rate_limited` when the key waits too often already.
   */
  async get(context: RequestContext, { id, wait, afterVersion }: GetIntegrationArgs): Promise<Integration> {
    const isThere = ({ status, version }: Integration): boolean =>
      typeof afterVersion === 'number' ? version > afterVersion : status !== 'pending';
    const integration = await findIntegration(this.deps.db, context, id);
    if (!wait || isThere(integration)) return integration;
    return this.deps.waits.hold(context.caller, () => this.await(context, integration, wait * 1_000, isThere));
  }

  private async await(
    context: RequestContext,
    { id, uuid }: Integration,
    milliseconds: number,
    isThere: (integration: Integration) => boolean,
  ): Promise<Integration> {
    return awaitNews({
      listen: async (ring) => {
        const { detach } = await this.deps.feed.listen(context.accountId, (change) => {
          if (change.integrationId === uuid) ring();
        });
        return detach;
      },
      read: () => findIntegration(this.deps.db, context, id),
      isThere,
      milliseconds,
      signal: context.signal,
    });
  }

  /** Ends the connection and revokes its tokens at the provider; again: unchanged. */
  async disconnect(context: RequestContext, id: string): Promise<Integration> {
    const { before, after } = await this.deps.db.transaction(async (tx) => {
      const before = await lockIntegration(tx, context, id);
      if (before.status === 'disconnected') return { before: undefined, after: before };
      await this.deps.flows.take(tx, before.uuid);
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
      } as const;
      return { before, after: await this.deps.changes.record(tx, before.uuid, change) };
    });
    if (before !== undefined) await this.revoke(before);
    return after;
  }

  /** Deletes it for good; its last change tells who listens. @returns the id. */
  async delete(context: RequestContext, id: string): Promise<string> {
    const deleted = await this.deps.db.transaction(async (tx) => {
      const integration = await lockIntegration(tx, context, id);
      await this.deps.flows.take(tx, integration.uuid);
      const change = { from: integration.status, to: 'disconnected', reason: 'deleted', hops: context.hops } as const;
      await this.deps.changes.record(tx, integration.uuid, change);
      await tx.query(
        `UPDATE integrations SET deleted_at = $2, credentials = NULL, provider_secret = NULL, renew_at = NULL, renewal_id = NULL,
           renewal_until = NULL, external_id = NULL, external_name = NULL WHERE id = $1`,
        [integration.uuid, this.deps.clock.now()],
      );
      return integration;
    });
    await this.revoke(deleted);
    return id;
  }

  /**
   * Asks the application now. A key that it refuses disconnects the integration; a silence changes nothing. What is
   * learned on the way, a renewed token above all, is stored whatever becomes of the request.
   */
  test(context: RequestContext, id: string): Promise<IntegrationTest> {
    return this.deps.db.apart(() => this.testNow(context, id));
  }

  private async testNow(context: RequestContext, id: string): Promise<IntegrationTest> {
    const integration = await findIntegration(this.deps.db, context, id);
    if (integration.status !== 'connected') return { ok: false, reason: integration.status };
    try {
      await this.ask(context, integration);
      return { ok: true, reason: null };
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (error instanceof UnreadableError) return { ok: false, reason: 'credentials_unreadable' };
      if (error instanceof AppError && error.code === 'invalid_credentials')
        return this.refused(context, id, integration);
      if (error instanceof AppError && error.code === 'conflict') {
        const { status, statusReason } = await findIntegration(this.deps.db, context, id);
        return { ok: false, reason: status === 'connected' ? error.code : (statusReason ?? status) };
      }
      return { ok: false, reason: isRefusal(error) ? 'verification_failed' : 'provider_unavailable' };
    }
  }

  private async ask(context: RequestContext, integration: Integration): Promise<void> {
    const app = this.deps.apps.get(integration.type);
    if (app === undefined) throw new AppError('conflict', 'The integration type is not offered any more.');
    if (app.auth.kind === 'oauth2') {
      const accessToken = await this.deps.renewal.accessToken(integration.uuid);
      await this.deps.probe.identify(app, integration.parameters, { accessToken, refreshToken: null }, 5_000);
      return;
    }
    const [row] = await this.deps.db.query<{ credentials: string | null }>(
      `SELECT credentials FROM integrations WHERE id = $1`,
      [integration.uuid],
    );
    if (typeof row?.credentials !== 'string') throw new AppError('conflict', 'The integration is not connected.');
    const credentials = openCredentials(
      this.deps.secrets,
      { accountId: context.accountId, uuid: integration.uuid },
      row.credentials,
    );
    if ('apiKey' in credentials) await this.deps.probe.verifyKey(app, integration.parameters, credentials.apiKey);
  }

  private async refused(context: RequestContext, id: string, { version }: Integration): Promise<IntegrationTest> {
    const ended = await this.deps.db.transaction(async (tx) => {
      const { uuid, status, version: present } = await lockIntegration(tx, context, id);
      // Reconnected meanwhile: the refusal was about the old key.
      if (present !== version) return false;
      await tx.query(`UPDATE integrations SET credentials = NULL WHERE id = $1`, [uuid]);
      const { hops } = context;
      await this.deps.changes.record(tx, uuid, { from: status, to: 'disconnected', reason: 'key_refused', hops });
      return true;
    });
    return ended ? { ok: false, reason: 'key_refused' } : this.testNow(context, id);
  }

  private async revoke(integration: StoredIntegration): Promise<void> {
    const { type, accountId, externalId, uuid, parameters } = integration;
    const app = this.deps.apps.get(type);
    if (app?.auth.kind !== 'oauth2' || integration.credentials === null) return;
    if (app.auth.revocationEndsGrant) {
      const [other] = await this.deps.db.query(
        `SELECT 1 AS one FROM integrations WHERE account_id = $1 AND type = ANY($2) AND id <> $3 AND deleted_at IS NULL
           AND credentials IS NOT NULL AND external_id IS NOT DISTINCT FROM $4 LIMIT 1`,
        [accountId, this.deps.apps.sharingGrantsWith(app), uuid, externalId],
      );
      // Another connection of the same user lives by the same grant.
      if (other !== undefined) return;
    }
    this.deps.db.afterCommit(() => this.deps.revocation.later({ app, parameters }, integration));
  }
}

/** An answer about the credentials, other than one about the application's own state. */
function isRefusal(error: unknown): boolean {
  return error instanceof RefusedError && error.status < 500 && error.status !== 429;
}
