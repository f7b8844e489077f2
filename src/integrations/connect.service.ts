import { AppError, type ErrorDetail, validationError } from '../errors.js';
import { type Clock } from '../clock.js';
import { type Database, type Transaction } from '../db/database.js';
import { newUuid, timeOf } from '../ids.js';
import { type RequestContext } from '../context.js';
import { randomToken, type Secrets, sha256 } from '../secrets.js';
import { textFault } from '../validation.js';
import { type App } from './apps/app.js';
import { checkParameters } from './apps/parameters.js';
import { type AppRegistry } from './apps/registry.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { type Credentials, sealCredentials } from './credentials.js';
import { Integration } from './integration.entity.js';
import { type ConnectIntegrationInput, type IntegrationAuthorization } from './integration.inputs.js';
import { findIntegration, lockIntegration, selectIntegrations } from './integration.store.js';
import { type ExternalAccount, type Probe } from './probe.js';
import { recordChange } from './record-change.js';

/** The most that an application may take to tell whose key it is, in milliseconds. */
const IDENTITY_MS = 5_000;

/** What connect answers: the integration of an API-key app, or where the user grants access to an OAuth app. */
export type ConnectResult = Integration | IntegrationAuthorization;

export interface ConnectDependencies {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  apps: AppRegistry;
  probe: Probe;
  flows: AuthorizationFlows;
  /** Origins that a browser may be sent to after a flow: ours and the listed ones. */
  returnOrigins: ReadonlySet<string>;
}

/** Connects and reconnects integrations. What an application must be asked is asked before anything is stored. */
export class ConnectService {
  constructor(private readonly its: ConnectDependencies) {}

  /** @throws AppError `validation_error`, `conflict` (unconfigured OAuth app), `invalid_credentials` or `provider_unavailable`. */
  async connect(context: RequestContext, input: ConnectIntegrationInput): Promise<ConnectResult> {
    const { app, parameters } = this.check(input);
    if (app.auth.kind === 'oauth2') {
      return this.its.db.transaction(async (tx) => {
        const integration = await this.insert(tx, context, app, parameters, input);
        return this.its.flows.begin(tx, app, integration, input.returnUrl ?? null);
      });
    }
    const apiKey = apiKeyOf(input.credentials);
    const account = await this.verify(app, parameters, apiKey);
    return this.its.db.transaction(async (tx) => {
      const { uuid } = await this.insert(tx, context, app, parameters, input);
      await this.storeKey(tx, context, uuid, { apiKey }, account);
      return recordChange(tx, this.its.clock, uuid, { from: null, to: 'connected', reason: 'connected' });
    });
  }

  /** Repeats the flow, or takes a new API key, for the same integration. @throws AppError as `connect` does, and for its id. */
  async reconnect(
    context: RequestContext,
    id: string,
    credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    const { type, parameters } = await findIntegration(this.its.db, context, id);
    const app = this.appOf(type);
    if (app.auth.kind === 'oauth2') {
      if (credentials !== undefined && credentials !== null) throw notForOAuth(app);
      return this.its.db.transaction(async (tx) => {
        const integration = await lockIntegration(tx, context, id);
        return this.its.flows.begin(tx, app, integration, null);
      });
    }
    const apiKey = apiKeyOf(credentials);
    const account = await this.verify(app, parameters, apiKey);
    return this.its.db.transaction(async (tx) => {
      const { uuid, status, externalId } = await lockIntegration(tx, context, id);
      if (account !== undefined && externalId !== null && account.id !== externalId)
        throw new AppError('conflict', `The key belongs to another account of ${app.name}: connect it by itself.`);
      await this.storeKey(tx, context, uuid, { apiKey }, account);
      return recordChange(tx, this.its.clock, uuid, { from: status, to: 'connected', reason: 'reconnected' });
    });
  }

  /** @returns whose key it is, where the application tells: a key that works is taken without that too. */
  private async verify(
    app: App,
    parameters: Record<string, string>,
    apiKey: string,
  ): Promise<ExternalAccount | undefined> {
    await this.its.probe.verifyKey(app, parameters, apiKey);
    return this.its.probe.identify(app, parameters, { apiKey }, IDENTITY_MS).catch(() => undefined);
  }

  private check(input: ConnectIntegrationInput): { app: App; parameters: Record<string, string> } {
    const app = this.its.apps.get(input.type);
    if (app === undefined) throw validationError({ field: 'type', message: 'is no integration type of this service' });
    const { values, details } = checkParameters(app, input.parameters);
    const faults: ErrorDetail[] = [...details, ...this.returnUrlFaults(input.returnUrl)];
    if (app.auth.kind === 'api_key') faults.push(...apiKeyFaults(input.credentials));
    const [first, ...rest] = faults;
    if (first !== undefined) throw validationError(first, ...rest);
    if (app.auth.kind === 'oauth2' && (input.credentials ?? null) !== null) throw notForOAuth(app);
    this.demandConfigured(app);
    return { app, parameters: values };
  }

  private returnUrlFaults(returnUrl: string | null | undefined): ErrorDetail[] {
    if (returnUrl === null || returnUrl === undefined) return [];
    const url = URL.parse(returnUrl);
    // `blob:` addresses have the origin of what they hold.
    const allowed =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      this.its.returnOrigins.has(url.origin) &&
      url.username + url.password === '';
    return allowed
      ? []
      : [{ field: 'returnUrl', message: 'must be an address of this service or of an origin in CORS_ORIGINS' }];
  }

  private appOf(type: string): App {
    const app = this.its.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The integration type ${type} is not offered any more.`);
    this.demandConfigured(app);
    return app;
  }

  private demandConfigured(app: App): void {
    if (!this.its.apps.isConfigured(app)) {
      throw new AppError('conflict', `${app.name} is not configured: the operator has given it no OAuth client.`);
    }
  }

  /** A row without a change yet: the caller records the first in the same transaction. */
  private async insert(
    tx: Transaction,
    { accountId }: RequestContext,
    app: App,
    parameters: Record<string, string>,
    input: ConnectIntegrationInput,
  ): Promise<Integration> {
    const { secrets, clock } = this.its;
    const uuid = newUuid(clock.now());
    const owner = { accountId, table: 'integrations', id: uuid };
    const eventsToken = randomToken();
    await tx.query(
      `INSERT INTO integrations
         (id, account_id, type, auth, name, status, version, reference, parameters, events_digest, events_token, events_secret, created_at)
       VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $7, $8, $9, $10, $11)`,
      [
        uuid,
        accountId,
        app.type,
        app.auth.kind,
        input.label ?? app.type,
        input.reference ?? null,
        JSON.stringify(parameters),
        sha256(eventsToken),
        secrets.seal(eventsToken, owner),
        secrets.seal(randomToken(), owner),
        timeOf(uuid),
      ],
    );
    const [integration] = await tx.select(Integration, selectIntegrations('i.id = $1'), [uuid]);
    return integration!;
  }

  private async storeKey(
    tx: Transaction,
    { accountId }: RequestContext,
    uuid: string,
    credentials: Credentials,
    account: ExternalAccount | undefined,
  ): Promise<void> {
    await tx.query(
      `UPDATE integrations SET credentials = $2, connected_at = $3, external_id = coalesce($4, external_id),
         external_name = CASE WHEN $4::text IS NULL THEN external_name ELSE $5 END WHERE id = $1`,
      [
        uuid,
        sealCredentials(this.its.secrets, { accountId, uuid }, credentials),
        this.its.clock.now(),
        account?.id ?? null,
        account?.name ?? null,
      ],
    );
  }
}

function apiKeyFaults(credentials: Record<string, unknown> | null | undefined): ErrorDetail[] {
  if (credentials === null || credentials === undefined) {
    return [{ field: 'credentials', message: 'is required for an API-key integration: { "api_key": "…" }' }];
  }
  const fault = textFault(credentials.api_key, 1, 4096);
  return fault === undefined
    ? []
    : [{ field: 'credentials.api_key', message: credentials.api_key === undefined ? 'is required' : fault }];
}

function apiKeyOf(credentials: Record<string, unknown> | null | undefined): string {
  const [fault] = apiKeyFaults(credentials);
  if (fault !== undefined) throw validationError(fault);
  return credentials!.api_key as string;
}

function notForOAuth(app: App): AppError {
  return validationError({ field: 'credentials', message: `must be left out: ${app.name} connects by OAuth` });
}
