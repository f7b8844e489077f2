import { isDeepStrictEqual } from 'node:util';
import { type Clock } from '../../../../platform/clock.js';
import { actorId } from '../../../../platform/graphql/actor.js';
import { type RequestContext } from '../../../../platform/context.js';
import { type Transaction } from '../../../../platform/db/database.js';
import { type Secrets } from '../../../../platform/encryption/secrets.js';
import { AppError } from '../../../../platform/errors.js';
import { type App } from '../../apps/app.js';
import { type ChangeRecorder } from '../../changes/record-change.js';
import { type Integration } from '../../integration.entity.js';
import { storeConnection, type StoredIntegration } from '../../integration.store.js';
import { sealCredentials } from '../../tokens/credentials.js';
import { type ExternalAccount, type Probe } from '../../tokens/probe.js';
import { type TokenRevocation } from '../../tokens/token-revocation.js';
import { type AuthorizationFlows } from '../authorization-flow.js';

/** The time limit for asking an application for the account of credentials, in milliseconds. */
const IDENTITY_MS = 5_000;

/** Credentials that the application accepted, and their account if it names one. */
export interface Proven {
  apiKey: string;
  /** Of the URL at which the application accepted them. */
  parameters: Record<string, string>;
  account: ExternalAccount | undefined;
}

/** The dependencies of `DirectConnections`. */
export interface DirectConnectionsDependencies {
  clock: Clock;
  changes: ChangeRecorder;
  secrets: Secrets;
  probe: Probe;
  flows: AuthorizationFlows;
  revocation: TokenRevocation;
}

/** Connections by credentials that the client sends, without a flow. */
export class DirectConnections {
  constructor(private readonly deps: DirectConnectionsDependencies) {}

  /**
   * Asks the application whether it accepts the credentials, which fit the app. @throws AppError `invalid_credentials`,
   * `provider_unavailable`.
   */
  async prove(
    { accountId }: RequestContext,
    app: App,
    parameters: Record<string, string>,
    credentials: Record<string, unknown>,
  ): Promise<Proven> {
    const apiKey = credentials.api_key as string;
    const asked = { app, parameters, accountId };
    await this.deps.probe.verifyKey(asked, apiKey);
    // A valid key is accepted even if the application does not name its account.
    const account = await this.deps.probe.identify(asked, { apiKey }, IDENTITY_MS).catch(() => undefined);
    return { apiKey, parameters, account };
  }

  /**
   * Stores proven credentials in the row, which the caller has locked, and records the change. An open flow ends with it.
   * A row with version 0 is new. @throws AppError `conflict` if the credentials belong to another account, or if the
   * integration has other parameters than those with which they were proven.
   */
  async take(
    tx: Transaction,
    context: RequestContext,
    app: App,
    integration: Integration | StoredIntegration,
    proven: Proven,
  ): Promise<Integration> {
    const { uuid, version, status, externalId, lastConnectedAt } = integration;
    const { account } = proven;
    if (account !== undefined && externalId !== null && account.id !== externalId)
      throw new AppError(
        'conflict',
        `The key belongs to another account of ${app.name}: connect that account as a new integration.`,
      );
    // The key would be sent to a host that has not accepted it.
    if (!isDeepStrictEqual(integration.parameters, proven.parameters))
      throw new AppError(
        'conflict',
        'The parameters of the integration changed while the key was checked. Repeat the request.',
      );
    await this.deps.flows.take(tx, uuid);
    await this.store(tx, context, uuid, proven);
    const { accountId, parameters } = integration;
    if ('credentials' in integration && integration.auth === 'oauth2')
      tx.afterCommit(() => this.deps.revocation.laterUnneeded({ app, parameters, accountId }, integration));
    const reason = lastConnectedAt === null ? 'connected' : 'reconnected';
    const change = {
      from: version === 0 ? null : status,
      to: 'connected',
      reason,
      hops: context.hops,
      actor: actorId(context.caller),
    } as const;
    return this.deps.changes.record(tx, uuid, change);
  }

  /** Replaces whatever the row had, which may be tokens of another way. */
  private async store(
    tx: Transaction,
    { accountId }: RequestContext,
    uuid: string,
    { apiKey, account }: Proven,
  ): Promise<void> {
    await tx.query(
      `UPDATE integrations SET auth = 'api_key', credentials = $2, scopes = '{}', access_expires_at = NULL,
         refresh_expires_at = NULL, expires_at = NULL, notice_at = NULL, end_is_fixed = false, renew_at = NULL,
         renewal_failures = 0, renewal_id = NULL, renewal_until = NULL, unauthorized_since = NULL WHERE id = $1`,
      [uuid, sealCredentials(this.deps.secrets, { accountId, uuid }, { apiKey })],
    );
    await storeConnection(tx, uuid, { at: this.deps.clock.now(), account });
  }
}
