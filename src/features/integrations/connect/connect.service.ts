import { recordAudit } from '../../audit-log/record-audit.js';
import { AppError, type ErrorDetail, validationError } from '../../../platform/errors.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type RequestContext } from '../../../platform/context.js';
import { randomToken, type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { type App, type Auth, type AuthKind } from '../apps/app.js';
import { checkParameters } from '../apps/parameters.js';
import { type AppRegistry } from '../apps/registry.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { chooseAuth } from './ways/choose-auth.js';
import { type ConnectSession } from './connect-session.entity.js';
import { type ConnectSessions } from './connect-session.service.js';
import { type DirectConnections } from './ways/direct-connections.js';
import { Integration } from '../integration.entity.js';
import { type ConnectIntegrationInput, type IntegrationAuthorization } from '../integration.inputs.js';
import { findIntegration, lockIntegration, selectIntegrations } from '../integration.store.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { returnUrlFaults } from '../return-url.js';
import { amend, claimFlow, connectedParameters, fixedBy, keepParameters } from './session-flow.js';

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
  flows: AuthorizationFlows;
  direct: DirectConnections;
  sessions: ConnectSessions;
  /** Origins that a browser may be redirected to after a flow: this service's and those in CORS_ORIGINS. */
  returnOrigins: ReadonlySet<string>;
}

/** The app, the way and the parameters of a request to connect. */
interface Wanted {
  app: App;
  auth: Auth;
  parameters: Record<string, string>;
}

/** Connects and reconnects integrations. Requests to the application are made before anything is stored. */
export class ConnectService {
  constructor(private readonly deps: ConnectDependencies) {}

  /**
   * Connects an integration. A connect session connects what it was created for, or continues with what it has started.
   * @throws AppError `validation_error`, `conflict` (unconfigured OAuth app, or other parameters than those of the session's
   * connection), `invalid_credentials`, `provider_unavailable`, or `forbidden` for a type that is not the session's.
   */
  async connect(context: RequestContext, given: ConnectIntegrationInput): Promise<ConnectResult> {
    const session = await this.deps.sessions.current(context.caller);
    const input = session === undefined ? given : fixedBy(session, given);
    const { app, auth, parameters } = this.check(
      input,
      session && (await connectedParameters(this.deps.db, session, input.type)),
    );
    if (auth.kind === 'oauth2') {
      return this.deps.db.transaction(async (tx) => {
        const integration = await this.target(tx, context, { app, auth, parameters }, input, session);
        return this.deps.flows.begin(tx, app, integration, { returnUrl: input.returnUrl ?? null, hops: context.hops });
      });
    }
    const proven = await this.deps.direct.prove(context, app, parameters, input.credentials!);
    return this.deps.db.transaction(async (tx) => {
      const integration = await this.target(tx, context, { app, auth, parameters }, input, session);
      return this.deps.direct.take(tx, context, app, integration, proven);
    });
  }

  /** A new integration, or the one that the session has already started. */
  private async target(
    tx: Transaction,
    context: RequestContext,
    wanted: Wanted,
    input: ConnectIntegrationInput,
    session: ConnectSession | undefined,
  ): Promise<Integration> {
    const started = session && (await claimFlow(tx, this.deps, session, wanted.app.type));
    if (started === undefined) return this.insert(tx, context, wanted, input, session);
    await amend(tx, started, input, wanted.parameters);
    return started;
  }

  /**
   * Repeats the flow, or takes a new API key, for the same integration. Credentials of another way change the way.
   * @throws AppError as `connect`, and for the id.
   */
  async reconnect(
    context: RequestContext,
    id: string,
    credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    const session = await this.deps.sessions.current(context.caller);
    const returnUrl = session?.returnUrl ?? null;
    const { type, parameters, auth: own } = await findIntegration(this.deps.db, context, id);
    const app = this.appOf(type);
    const { auth, faults } = chooseAuth(app, { credentials }, own);
    if (auth === undefined) throw validationError(...(faults as [ErrorDetail, ...ErrorDetail[]]));
    this.demandConfigured(app, auth.kind);
    const lock = async (tx: Transaction): Promise<Integration> => {
      if (session?.integrationId === null) await claimFlow(tx, this.deps, session, type);
      return lockIntegration(tx, context, id);
    };
    if (auth.kind === 'oauth2') {
      return this.deps.db.transaction(async (tx) => {
        const integration = await lock(tx);
        await this.auditReconnect(tx, integration);
        return this.deps.flows.begin(tx, app, integration, { returnUrl, hops: context.hops });
      });
    }
    const proven = await this.deps.direct.prove(context, app, parameters, credentials!);
    return this.deps.db.transaction(async (tx) => this.deps.direct.take(tx, context, app, await lock(tx), proven));
  }

  /** A connected integration stays so until the consent, so that no change of its status says that one was asked for. */
  private async auditReconnect(tx: Transaction, { accountId, uuid, name, status }: Integration): Promise<void> {
    if (status !== 'connected') return;
    const change = { accountId, action: 'integration.reconnecting', resource: uuid, name } as const;
    await recordAudit(tx, this.deps.clock.now(), change);
  }

  /** `kept`: the parameters of a connection that the request repeats. */
  private check(input: ConnectIntegrationInput, kept: Record<string, string> | undefined): Wanted {
    const app = this.deps.apps.get(input.type);
    if (app === undefined) throw validationError({ field: 'type', message: 'is no integration type of this service' });
    const { values, details } =
      kept === undefined ? checkParameters(app, input.parameters) : keepParameters(app, kept, input.parameters);
    const { auth, faults } = chooseAuth(app, input);
    const [first, ...rest] = [...details, ...returnUrlFaults(input.returnUrl, this.deps.returnOrigins), ...faults];
    if (first !== undefined || auth === undefined) throw validationError(first!, ...rest);
    this.demandConfigured(app, auth.kind);
    return { app, auth, parameters: values };
  }

  private appOf(type: string): App {
    const app = this.deps.apps.get(type);
    if (app === undefined) throw new AppError('conflict', `The integration type ${type} is not offered any more.`);
    return app;
  }

  private demandConfigured(app: App, kind: AuthKind): void {
    if (!this.deps.apps.isAuthConfigured(app, kind)) {
      throw new AppError('conflict', `${app.name} is not configured: the operator has given it no OAuth client.`);
    }
  }

  /** Inserts a row with version 0: the caller records its first change in the same transaction. */
  private async insert(
    tx: Transaction,
    { accountId }: RequestContext,
    { app, auth, parameters }: Wanted,
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
        auth.kind,
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
}
