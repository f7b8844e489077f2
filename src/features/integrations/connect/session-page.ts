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

/** What a person typed and chose. */
export interface Filled {
  type: string;
  apiKey: string | undefined;
  parameters: Record<string, string>;
}

/** What the page of a session has to show; `app` is undefined where the person is to choose one. */
export interface ShownSession {
  session: ConnectSession;
  app: App | undefined;
  integration: Integration | undefined;
  /** The applications that can be chosen, those with a text in type or name, by name. */
  choices: (search: string) => App[];
  /** Whether the session has done what it was made for. */
  isDone: boolean;
}

/** Where a person goes on: to the application, or back with what was connected. */
export type NextStop = { address: string } | { connected: Integration };

/** The page of a connect session for a person: looking at it changes nothing, its form starts the flow. */
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

  /** What there is to show at a ticket, with the type that was asked for; undefined when the session is over. */
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

  /** Starts the session's flow, tied to the browser that holds `browser`. @throws AppError as `connect` and `reconnect` do. */
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
