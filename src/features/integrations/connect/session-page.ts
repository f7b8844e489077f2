import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { type App } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { type ConnectResult, type ConnectService } from './connect.service.js';
import { type ConnectSession } from './connect-session.entity.js';
import { type ConnectSessions } from './connect-session.service.js';
import { Integration } from '../integration.entity.js';
import { selectIntegrations } from '../integration.store.js';
import { deleted } from './session-flow.js';
import { type StartPage } from './start-page.js';

/** The submitted form. */
export interface Filled {
  type: string;
  apiKey: string | undefined;
  parameters: Record<string, string>;
}

/** The content of a session's page; `app` is undefined if the person must choose one. */
export interface ShownSession {
  session: ConnectSession;
  app: App | undefined;
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

  /** The content for a ticket and the type from the URL; undefined if the session has expired. */
  async find(ticket: string, asked: string | undefined): Promise<ShownSession | undefined> {
    const session = await this.deps.sessions.ofTicket(ticket);
    if (session === undefined) return undefined;
    const [integration] = await this.deps.db.select(
      Integration,
      `${selectIntegrations('(i.id = $1 OR i.connect_session_id = $2)')}
       ORDER BY i.connected_at DESC NULLS LAST, i.id DESC LIMIT 1`,
      [session.integrationId, session.uuid],
    );
    const since = integration?.lastConnectedAt;
    const isDone = integration?.status === 'connected' && since != null && since >= session.createdAt;
    const app = this.offered(session.type ?? (since == null ? asked : integration?.type));
    return { session, app, integration, isDone, choices: (search) => this.choices(search) };
  }

  /**
   * Starts the session's flow, bound to the browser with the cookie `browser`. @throws AppError as `connect` and
   * `reconnect`.
   */
  async go(context: RequestContext, shown: ShownSession, app: App, filled: Filled, browser: string): Promise<NextStop> {
    const result = await this.start(context, shown, app, filled);
    if (result instanceof Integration) return { connected: result };
    const ticket = result.connectUrl.split('/').at(-1)!;
    return { address: (await this.deps.start.begin(ticket, browser)) ?? result.redirectUrl };
  }

  private start(
    context: RequestContext,
    { session, integration }: ShownSession,
    { type, auth }: App,
    { apiKey, parameters }: Filled,
  ): Promise<ConnectResult> {
    const { connecting } = this.deps;
    const credentials = auth.kind === 'api_key' ? { api_key: apiKey ?? '' } : null;
    if (session.integrationId === null) return connecting.connect(context, { type, credentials, parameters });
    if (integration === undefined) throw deleted();
    return connecting.reconnect(context, integration.id, credentials);
  }

  private choices(search: string): App[] {
    return this.deps.apps.search(search).filter((app) => this.deps.apps.isConfigured(app));
  }

  private offered(type: string | undefined): App | undefined {
    const app = type === undefined ? undefined : this.deps.apps.get(type);
    return app && this.deps.apps.isConfigured(app) ? app : undefined;
  }
}
