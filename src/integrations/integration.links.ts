import DataLoader from 'dataloader';
import { type RequestContext } from '../context.js';
import { columnsOf } from '../db/columns.js';
import { type Database } from '../db/database.js';
import { linkCacheKey, type LinkKey, linkStatement, loadLinkedPages } from '../db/linked-pages.js';
import { type Page, type PageArgs } from '../db/pagination.js';
import { type Secrets } from '../secrets.js';
import { type AppRegistry } from './apps/registry.js';
import { eventsSecretOf, hasOwnEventsSecret } from './events-secret.js';
import { Integration } from './integration.entity.js';
import { IntegrationStatusChange } from './integration-change.entity.js';

const INTEGRATION = columnsOf(Integration, 'i');
const HISTORY = linkStatement({
  columns: columnsOf(IntegrationStatusChange, 'c'),
  from: 'integration_changes c',
  where: 'c.integration_id = p.parent AND c.account_id = $1',
  id: 'c.version',
  orderedBy: 'version',
});

/** What hangs on integrations, loaded for all of a level at once. */
export class IntegrationLinks {
  private readonly ofChange = {};

  constructor(
    private readonly db: Database,
    private readonly secrets: Secrets,
    private readonly apps: AppRegistry,
    private readonly baseUrl: string,
  ) {}

  /** Changes newest first. */
  async history(
    context: RequestContext,
    { uuid }: Integration,
    { page, perPage }: PageArgs,
  ): Promise<Page<IntegrationStatusChange>> {
    const loader = context.loader(
      this,
      () =>
        new DataLoader<LinkKey, Page<IntegrationStatusChange>>(
          (keys) => loadLinkedPages(this.db, IntegrationStatusChange, HISTORY, context.accountId, keys),
          { cacheKeyFn: linkCacheKey as never },
        ),
    );
    return loader.load({ parent: uuid, page, perPage });
  }

  /** The integration of a change; deleted ones too, which then are as they were left. */
  async integrationOf(context: RequestContext, { integrationId }: IntegrationStatusChange): Promise<Integration> {
    const loader = context.loader(
      this.ofChange,
      () =>
        new DataLoader<string, Integration>(
          async (uuids) => {
            const rows = await this.db.select(
              Integration,
              `SELECT ${INTEGRATION} FROM integrations i WHERE i.account_id = $1 AND i.id = ANY($2)`,
              [context.accountId, uuids],
            );
            const found = new Map(rows.map((row) => [row.uuid, row]));
            return uuids.map((uuid) => found.get(uuid) ?? new Error('The integration is gone.'));
          },
          { cache: false },
        ),
    );
    return loader.load(integrationId);
  }

  eventsUrl({ accountId, caller }: RequestContext, { uuid, type, sealedEventsToken }: Integration): string | null {
    if (caller.kind === 'connect_session') return null;
    if (this.apps.get(type)?.eventSource == null) return null;
    return `${this.baseUrl}/events/${this.secrets.open(sealedEventsToken, { accountId, table: 'integrations', id: uuid })}`;
  }

  eventsSecret({ accountId, caller }: RequestContext, { uuid, type, sealedEventsSecret }: Integration): string | null {
    const app = this.apps.get(type);
    if (app === undefined || !hasOwnEventsSecret(this.apps, app)) return null;
    if (caller.kind === 'connect_session' || (caller.kind === 'key' && caller.scope === 'read-only')) return null;
    const own = this.secrets.open(sealedEventsSecret, { accountId, table: 'integrations', id: uuid });
    return eventsSecretOf(this.apps, app, own);
  }
}
