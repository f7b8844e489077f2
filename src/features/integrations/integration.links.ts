import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database } from '../../platform/db/database.js';
import {
  BY_LINK,
  linkKey,
  type LinkKey,
  linkStatement,
  loadLinkedPages,
} from '../../platform/db/pages/linked-pages.js';
import { type Page, type PageArgs } from '../../platform/db/pages/pagination.js';
import { UNREADABLE } from '../../platform/encryption/unreadable.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { type AppRegistry } from './apps/registry.js';
import { type AuthorizationFlows } from './connect/authorization-flow.js';
import { EventsProof, eventsProofOf, madeSecretOf } from './events-secret.js';
import { Integration } from './integration.entity.js';
import { IntegrationStatusChange } from './changes/integration-change.entity.js';

const INTEGRATION = columnsOf(Integration, 'i');
const HISTORY = linkStatement({
  columns: columnsOf(IntegrationStatusChange, 'c'),
  from: 'integration_changes c',
  where: 'c.integration_id = p.parent AND c.account_id = $1',
  id: 'c.version',
  orderedBy: 'version',
  // The ids of changes by several processes may not ascend. A change that is gone was followed by the next older id.
  behind: `(p.place IS NULL OR c.version < coalesce(
    (SELECT k.version FROM integration_changes k WHERE k.id = p.place AND k.integration_id = p.parent),
    (SELECT max(k.version) + 1 FROM integration_changes k WHERE k.integration_id = p.parent AND k.id < p.place)))`,
});

/** Fields of integrations that need queries or secrets, batched over all integrations of a request. */
export class IntegrationLinks {
  private readonly ofChange = {};
  private readonly ofCredentials = {};
  private readonly ofFlow = {};

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly apps: AppRegistry,
    private readonly flows: AuthorizationFlows,
    private readonly baseUrl: string,
  ) {}

  /** One page of changes, newest first; `counts`: whether the total is needed. */
  history(
    context: RequestContext,
    { uuid }: Integration,
    args: PageArgs,
    counts: boolean,
  ): Promise<Page<IntegrationStatusChange>> {
    const load = (keys: readonly LinkKey[]) =>
      loadLinkedPages(this.db, IntegrationStatusChange, HISTORY, context.accountId, keys);
    return context.batch(this, linkKey(uuid, args, { prefix: 'chg', counts }), load, BY_LINK);
  }

  /** The integration of a change. A deleted integration is returned in its last state. */
  integrationOf(context: RequestContext, { integrationId }: IntegrationStatusChange): Promise<Integration> {
    const load = async (uuids: readonly string[]): Promise<(Integration | Error)[]> => {
      const rows = await this.db.select(
        Integration,
        `SELECT ${INTEGRATION} FROM integrations i WHERE i.account_id = $1 AND i.id = ANY($2)`,
        [context.accountId, uuids],
      );
      const found = new Map(rows.map((row) => [row.uuid, row]));
      return uuids.map((uuid) => found.get(uuid) ?? new Error('The integration is gone.'));
    };
    return context.batch(this.ofChange, integrationId, load, { cache: false });
  }

  /** Whether an OAuth flow of the integration is open, as of the version that was read. */
  flowOpen(context: RequestContext, integration: Integration): Promise<boolean> {
    const load = (seen: readonly Integration[]) => this.flows.mayBeOpen(this.db, context.accountId, seen);
    return context.batch(this.ofFlow, integration, load, { cache: false });
  }

  /** The integration's own URL, or the shared URL of its provider unless the integration has its own secret. */
  eventsUrl(
    { accountId, caller }: RequestContext,
    { uuid, type, sealedEventsToken, sealedProviderSecret }: Integration,
  ): string | null {
    const app = this.apps.get(type);
    if (caller.kind === 'connect_session' || app === undefined || app.eventSource === null) return null;
    if (sealedProviderSecret === null && this.apps.hasSharedAddress(app)) return `${this.baseUrl}/events/${type}`;
    const token = this.secrets.tryOpen(sealedEventsToken, { accountId, table: 'integrations', id: uuid });
    return token === null ? null : `${this.baseUrl}/events/${token}`;
  }

  /** When the application takes calls again; null if it does now. */
  blockedUntil({ lastBlockedUntil: end }: Integration): Date | null {
    return end !== null && end > this.clock.now() ? end : null;
  }

  /** Which secret authenticates the events; null if the type has no events. */
  eventsProof({ type, sealedProviderSecret }: Integration): EventsProof | null {
    const app = this.apps.get(type);
    if (app === undefined || app.eventSource === null) return null;
    return eventsProofOf(this.apps, app, sealedProviderSecret !== null);
  }

  /** The secret that the service generated, if it is the one that authenticates the events. */
  eventsSecret({ accountId, caller }: RequestContext, integration: Integration): string | null {
    if (this.eventsProof(integration) !== EventsProof.MADE) return null;
    if (caller.kind === 'connect_session' || (caller.kind === 'key' && caller.scope === 'read-only')) return null;
    const { uuid, type, sealedEventsSecret } = integration;
    const made = this.secrets.tryOpen(sealedEventsSecret, { accountId, table: 'integrations', id: uuid });
    return made === null ? null : madeSecretOf(this.apps.get(type)!, made);
  }

  /** A code if no key of the ring decrypts one of the integration's secrets, else null. The other fields stay valid. */
  async unreadable(context: RequestContext, integration: Integration) {
    const { uuid, sealedEventsToken, sealedEventsSecret, sealedProviderSecret } = integration;
    const credentials = await context.batch(this.ofCredentials, uuid, (uuids) => this.keyOf(uuids));
    const sealed = [sealedEventsToken, sealedEventsSecret, sealedProviderSecret, credentials];
    return sealed.every((text) => text === null || this.secrets.knows(text)) ? null : UNREADABLE;
  }

  /**
   * The first characters of the sealed credentials, which name the key; null for an integration without credentials.
   */
  private async keyOf(uuids: readonly string[]): Promise<(string | null)[]> {
    const rows = await this.db.query<{ uuid: string; beginning: string | null }>(
      `SELECT id AS uuid, substr(credentials, 1, 16) AS beginning FROM integrations WHERE id = ANY($1)`,
      [uuids],
    );
    const found = new Map(rows.map(({ uuid, beginning }) => [uuid, beginning]));
    return uuids.map((uuid) => found.get(uuid) ?? null);
  }
}
