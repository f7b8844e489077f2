import { AppError, type ErrorDetail, validationError } from '../../../platform/errors.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type RequestContext } from '../../../platform/context.js';
import { randomToken, type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { textFault } from '../../../platform/validation.js';
import { type App } from '../apps/app.js';
import { checkParameters } from '../apps/parameters.js';
import { type AppRegistry } from '../apps/registry.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { type ConnectSession } from './connect-session.entity.js';
import { type ConnectSessions } from './connect-session.service.js';
import { type Credentials, sealCredentials } from '../tokens/credentials.js';
import { Integration } from '../integration.entity.js';
import { type ConnectIntegrationInput, type IntegrationAuthorization } from '../integration.inputs.js';
import { findIntegration, lockIntegration, selectIntegrations } from '../integration.store.js';
import { type ExternalAccount, type Probe } from '../tokens/probe.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { returnUrlFaults } from './return-url.js';
import { amend, claimFlow, fixedBy } from './session-flow.js';

/** The time limit for asking an application for the account of a key, in milliseconds. */
const IDENTITY_MS = 5_000;

/**
 * The result of connect: the integration of an API-key app, or the URL where the user grants access to an OAuth app.
 */
export type ConnectResult = Integration | IntegrationAuthorization;

/** The dependencies of `ConnectService`. */
export interface ConnectDependencies {
  db: Database;
  clock: Clock;
  changes: ChangeRecorder;
  secrets: Secrets;
  apps: AppRegistry;
  probe: Probe;
  flows: AuthorizationFlows;
  sessions: ConnectSessions;
  /** Origins that a browser may be redirected to after a flow: this service's and those in CORS_ORIGINS. */
  returnOrigins: ReadonlySet<string>;
}

/** Connects and reconnects integrations. Requests to the application are made before anything is stored. */
export class ConnectService {
  constructor(private readonly deps: ConnectDependencies) {}

  /**
   * Connects an integration. A connect session connects what it was created for, or continues with what it has started.
   * @throws AppError `validation_error`, `conflict` (unconfigured OAuth app), `invalid_credentials`,
   * `provider_unavailable`, or `forbidden` for a type that is not the session's.
   */
  async connect(context: RequestContext, given: ConnectIntegrationInput): Promise<ConnectResult> {
    const session = await this.deps.sessions.current(context.caller);
    const input = session === undefined ? given : fixedBy(session, given);
    const { app, parameters } = this.check(input);
    if (app.auth.kind === 'oauth2') {
      return this.deps.db.transaction(async (tx) => {
        const integration = await this.target(tx, context, app, parameters, input, session);
        return this.deps.flows.begin(tx, app, integration, { returnUrl: input.returnUrl ?? null, hops: context.hops });
      });
    }
    const apiKey = apiKeyOf(input.credentials);
    const account = await this.verify(app, parameters, apiKey);
    return this.deps.db.transaction(async (tx) => {
      const integration = await this.target(tx, context, app, parameters, input, session);
      return this.takeKey(tx, context, app, integration, apiKey, account);
    });
  }

  /** A new integration, or the one that the session has already started. */
  private async target(
    tx: Transaction,
    context: RequestContext,
    app: App,
    parameters: Record<string, string>,
    input: ConnectIntegrationInput,
    session: ConnectSession | undefined,
  ): Promise<Integration> {
    const started = session && (await claimFlow(tx, this.deps, session, app.type));
    if (started === undefined) return this.insert(tx, context, app, parameters, input, session);
    await amend(tx, started, input, parameters);
    return started;
  }

  /**
   * Repeats the flow, or takes a new API key, for the same integration. @throws AppError as `connect`, and for the id.
   */
  async reconnect(
    context: RequestContext,
    id: string,
    credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    const session = await this.deps.sessions.current(context.caller);
    const returnUrl = session?.returnUrl ?? null;
    const { type, parameters } = await findIntegration(this.deps.db, context, id);
    const app = this.appOf(type);
    const lock = async (tx: Transaction): Promise<Integration> => {
      if (session?.integrationId === null) await claimFlow(tx, this.deps, session, type);
      return lockIntegration(tx, context, id);
    };
    if (app.auth.kind === 'oauth2') {
      if (credentials !== undefined && credentials !== null) throw notForOAuth(app);
      return this.deps.db.transaction(async (tx) =>
        this.deps.flows.begin(tx, app, await lock(tx), { returnUrl, hops: context.hops }),
      );
    }
    const apiKey = apiKeyOf(credentials);
    const account = await this.verify(app, parameters, apiKey);
    return this.deps.db.transaction(async (tx) => this.takeKey(tx, context, app, await lock(tx), apiKey, account));
  }

  /** Stores a verified key and records the change. A row with version 0 is new. */
  private async takeKey(
    tx: Transaction,
    context: RequestContext,
    app: App,
    { uuid, version, status, externalId }: Integration,
    apiKey: string,
    account: ExternalAccount | undefined,
  ): Promise<Integration> {
    if (account !== undefined && externalId !== null && account.id !== externalId)
      throw new AppError(
        'conflict',
        `The key belongs to another account of ${app.name}: connect that account as a new integration.`,
      );
    await this.storeKey(tx, context, uuid, { apiKey }, account);
    const isNew = version === 0;
    const reason = isNew ? 'connected' : 'reconnected';
    const { hops } = context;
    return this.deps.changes.record(tx, uuid, { from: isNew ? null : status, to: 'connected', reason, hops });
  }

  /** Verifies a key. @returns its account if the application names it; a valid key is accepted without, too. */
  private async verify(
    app: App,
    parameters: Record<string, string>,
    apiKey: string,
  ): Promise<ExternalAccount | undefined> {
    await this.deps.probe.verifyKey(app, parameters, apiKey);
    return this.deps.probe.identify(app, parameters, { apiKey }, IDENTITY_MS).catch(() => undefined);
  }

  private check(input: ConnectIntegrationInput): { app: App; parameters: Record<string, string> } {
    const app = this.deps.apps.get(input.type);
    if (app === undefined) throw validationError({ field: 'type', message: 'is no integration type of this service' });
    const { values, details } = checkParameters(app, input.parameters);
    const faults: ErrorDetail[] = [...details, ...returnUrlFaults(input.returnUrl, this.deps.returnOrigins)];
    if (app.auth.kind === 'api_key') faults.push(...apiKeyFaults(input.credentials));
    const [first, ...rest] = faults;
    if (first !== undefined) throw validationError(first, ...rest);
    if (app.auth.kind === 'oauth2' && (input.credentials ?? null) !== null) throw notForOAuth(app);
    this.demandConfigured(app);
    return { app, parameters: values };
  }

  private appOf(type: string): App {
    const app = this.deps.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The integration type ${type} is not offered any more.`);
    this.demandConfigured(app);
    return app;
  }

  private demandConfigured(app: App): void {
    if (!this.deps.apps.isConfigured(app)) {
      throw new AppError('conflict', `${app.name} is not configured: the operator has given it no OAuth client.`);
    }
  }

  /** Inserts a row with version 0: the caller records its first change in the same transaction. */
  private async insert(
    tx: Transaction,
    { accountId }: RequestContext,
    app: App,
    parameters: Record<string, string>,
    input: ConnectIntegrationInput,
    session: ConnectSession | undefined,
  ): Promise<Integration> {
    const { secrets, clock } = this.deps;
    const uuid = newUuid(clock.now());
    const owner = { accountId, table: 'integrations', id: uuid };
    const eventsToken = randomToken();
    await tx.query(
      `INSERT INTO integrations
         (id, account_id, type, auth, name, status, version, reference, parameters, events_digest, events_token, events_secret,
          created_at, connect_session_id)
       VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $7, $8, $9, $10, $11, $12)`,
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
        session?.uuid ?? null,
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
        sealCredentials(this.deps.secrets, { accountId, uuid }, credentials),
        this.deps.clock.now(),
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
