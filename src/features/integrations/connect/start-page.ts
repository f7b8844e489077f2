import { workFor } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { type AppRegistry } from '../apps/registry.js';
import { Authorization } from './authorization.entity.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { Integration } from '../integration.entity.js';
import { selectIntegrations } from '../integration.store.js';
import { type OAuthProtocol } from '../tokens/oauth-client.js';

const COLUMNS = columnsOf(Authorization, 'f');

/** The content of the start page of a flow. */
export interface StartedFlow {
  app: App;
  integration: Integration;
}

/** The start page of a flow. Opening it changes nothing; its form binds the flow to the browser. */
export class StartPage {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly apps: AppRegistry,
    private readonly flows: AuthorizationFlows,
    private readonly protocol: OAuthProtocol,
  ) {}

  /** The flow of a ticket; undefined if it has ended. */
  async find(ticket: string): Promise<StartedFlow | undefined> {
    const row = await this.flowOf(ticket);
    return row && workFor(row.accountId, () => this.describe(row.id));
  }

  /** A read without locks, because until then the account that the work belongs to is unknown. */
  private async flowOf(ticket: string): Promise<{ id: string; accountId: string } | undefined> {
    const [row] = await this.db.query<{ id: string; accountId: string }>(
      `SELECT integration_id AS id, account_id AS "accountId" FROM authorizations
       WHERE ticket_digest = $1 AND consumed_at IS NULL AND expires_at > $2`,
      [sha256(ticket), this.clock.now()],
    );
    return row;
  }

  /** Binds the flow to the browser with the cookie `browser`; the last one wins. @returns the provider's URL. */
  async begin(ticket: string, browser: string): Promise<string | undefined> {
    const row = await this.flowOf(ticket);
    return row && workFor(row.accountId, () => this.bind(ticket, browser));
  }

  private async bind(ticket: string, browser: string): Promise<string | undefined> {
    const [flow] = await this.db.select(
      Authorization,
      `UPDATE authorizations f SET browser_digest = $2
       WHERE f.ticket_digest = $1 AND f.consumed_at IS NULL AND f.expires_at > $3 RETURNING ${COLUMNS}`,
      [sha256(ticket), sha256(browser), this.clock.now()],
    );
    const started = flow && (await this.describe(flow.integrationId));
    if (started === undefined) return undefined;
    const { state, verifier } = this.flows.open(flow!);
    return this.protocol.authorizationUrl(
      { app: started.app, parameters: started.integration.parameters },
      state,
      verifier,
    );
  }

  private async describe(uuid: string): Promise<StartedFlow | undefined> {
    const [integration] = await this.db.select(Integration, selectIntegrations('i.id = $1'), [uuid]);
    const app = integration && this.apps.get(integration.type);
    return app && { app, integration };
  }
}
