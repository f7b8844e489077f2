import { workFor } from '../../../platform/admission/work.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { type App, type Auth, type AuthKind } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { type ConnectResult, type ConnectService } from './connect.service.js';
import { type ConnectSession } from './connect-session.entity.js';
import { CREDENTIAL_FIELDS } from './ways/credential-fields.js';
import { type ConnectSessions } from './connect-session.service.js';
import { Integration } from '../integration.entity.js';
import { selectIntegrations } from '../integration.store.js';
import { deleted } from './session-flow.js';
import { type StartPage } from './start-page.js';

/** The application and the way that a person has chosen. */
export interface Chosen {
  type?: string | undefined;
  auth?: string | undefined;
}

/** The submitted form. */
export interface Filled extends Chosen {
  type: string;
  auth: string | undefined;
  credentials: Record<string, string>;
  parameters: Record<string, string>;
}

/** An application to connect, and the way that the page shows. */
export interface Offered {
  app: App;
  auth: Auth;
  /** The configured ways. */
  ways: readonly AuthKind[];
}

/** The content of a session's page; `offered` is undefined if the person must choose an application. */
export interface ShownSession {
  session: ConnectSession;
  offered: Offered | undefined;
  integration: Integration | undefined;
  /** The applications to choose from whose type or name contains a text, sorted by name. */
  choices: (search: string) => App[];
  /** Whether the session has made its connection. */
  isDone: boolean;
}

/** The next step: redirect to the application, or back with the new connection. */
export type NextStop = { address: string } | { connected: Integration };

/** The page of a connect session. Opening it changes nothing; its form starts the flow. */
export class SessionPage {
  constructor(
    private readonly deps: {
      db: Database;
      apps: AppRegistry;
      sessions: ConnectSessions;
      connecting: ConnectService;
      start: StartPage;
    },
  ) {}

  /** The content for a ticket and the choices of the person; undefined if the session has expired. */
  async find(ticket: string, chosen: Chosen): Promise<ShownSession | undefined> {
    const session = await this.deps.sessions.ofTicket(ticket);
    return session && workFor(session.accountId, () => this.shown(session, chosen));
  }

  /** The content for a session, which may not be stored yet. */
  async shown(session: ConnectSession, chosen: Chosen): Promise<ShownSession> {
    const [integration] = await this.deps.db.select(
      Integration,
      `${selectIntegrations('(i.id = $1 OR i.connect_session_id = $2)')}
       ORDER BY i.connected_at DESC NULLS LAST, i.id DESC LIMIT 1`,
      [session.integrationId, session.uuid],
    );
    const since = integration?.lastConnectedAt;
    const isDone = integration?.status === 'connected' && since != null && since >= session.createdAt;
    const type = session.type ?? (since == null ? chosen.type : integration?.type);
    const offered = this.offered(type, [chosen.auth, since == null ? undefined : integration?.auth]);
    return { session, offered, integration, isDone, choices: (search) => this.choices(search) };
  }

  /**
   * Starts the session's flow, bound to the browser with the cookie `browser`. @throws AppError as `connect` and
   * `reconnect`.
   */
  go(
    context: RequestContext,
    shown: ShownSession,
    offered: Offered,
    filled: Filled,
    browser: string,
  ): Promise<NextStop> {
    return workFor(context.accountId, async () => {
      const result = await this.start(context, shown, offered, filled);
      if (result instanceof Integration) return { connected: result };
      const ticket = result.connectUrl.split('/').at(-1)!;
      return { address: (await this.deps.start.begin(ticket, browser)) ?? result.redirectUrl };
    });
  }

  private start(
    context: RequestContext,
    { session, integration }: ShownSession,
    { app, auth }: Offered,
    { credentials: given, parameters }: Filled,
  ): Promise<ConnectResult> {
    const { connecting } = this.deps;
    const { kind } = auth;
    const fields = CREDENTIAL_FIELDS[kind].map(({ name }) => [name, given[name] ?? ''] as const);
    const credentials = fields.length === 0 ? null : Object.fromEntries(fields);
    if (session.integrationId === null)
      return connecting.connect(context, { type: app.type, auth: kind, credentials, parameters });
    if (integration === undefined) throw deleted();
    return connecting.reconnect(context, integration.id, credentials);
  }

  private choices(search: string): App[] {
    return this.deps.apps.search(search).filter((app) => this.deps.apps.isConfigured(app));
  }

  /** The application in the first of the wanted ways that it has, else in its preferred way. */
  private offered(type: string | undefined, wanted: readonly (string | undefined)[]): Offered | undefined {
    const { apps } = this.deps;
    const app = type === undefined ? undefined : apps.get(type);
    if (app === undefined) return undefined;
    const configured = app.auths.filter(({ kind }) => apps.isAuthConfigured(app, kind));
    const [auth = configured[0]] = wanted.flatMap((one) => configured.filter(({ kind }) => kind === one));
    return auth && { app, auth, ways: configured.map(({ kind }) => kind) };
  }
}
