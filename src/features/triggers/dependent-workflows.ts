import { type RequestContext } from '../../platform/context.js';
import { type Database } from '../../platform/db/database.js';
import { type LinkKey, linkStatement, loadLinkedPages } from '../../platform/db/pages/linked-pages.js';
import { type Page } from '../../platform/db/pages/pagination.js';
import { dependentIds } from '../integrations/notices/dependents.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { COLUMNS } from '../workflows/workflow.statements.js';
import { type EventCatalog } from './define-trigger-kind.js';

/** SQL: the rows of `$7` to `$9`, an event that a parent offers with each app type that offers it. */
const OFFERS = 'unnest($7::uuid[], $8::text[], $9::text[]) o (parent, event, type)';

const OF_INTEGRATION = linkStatement({
  columns: COLUMNS,
  from: 'workflows w',
  where: `w.account_id = $1 AND w.status <> 'archived' AND w.id IN (${dependentIds({
    integration: 'p.parent',
    account: '$1',
    isOffered: `t.event IN (SELECT o.event FROM ${OFFERS} WHERE o.parent = p.parent)`,
    offers: OFFERS,
  })})`,
  id: 'w.id',
});

/** A page of the workflows that depend on one integration. */
export interface DependentsKey extends LinkKey {
  /** The app type of the integration. */
  type: string;
}

/** The workflows that depend on integrations, by the same rule as in mails about those integrations. */
export class DependentWorkflows {
  constructor(
    private readonly db: Database,
    private readonly offers: EventCatalog,
  ) {}

  /** One page for each of many integrations, with one statement. */
  ofIntegrations({ accountId }: RequestContext, keys: readonly DependentsKey[]): Promise<Page<Workflow>[]> {
    const offers = keys.flatMap(({ parent, type }) =>
      this.offers
        .eventsOf(type)
        .flatMap((event) => this.offers.typesOffering(event).map((offering) => ({ parent, event, offering }))),
    );
    return loadLinkedPages(this.db, Workflow, OF_INTEGRATION, accountId, keys, [
      offers.map(({ parent }) => parent),
      offers.map(({ event }) => event),
      offers.map(({ offering }) => offering),
    ]);
  }
}
