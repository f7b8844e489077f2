import { type RequestContext } from '../../platform/context.js';
import { type Database } from '../../platform/db/database.js';
import { type LinkKey, linkStatement, loadLinkedPages } from '../../platform/db/linked-pages.js';
import { type Page } from '../../platform/db/pagination.js';
import { dependentIds } from '../integrations/notices/dependents.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { COLUMNS } from '../workflows/workflow.statements.js';
import { type EventCatalog } from './define-trigger-kind.js';

/** What `$6` to `$8` say: an event that a parent offers, beside each type that offers it. */
const OFFERS = 'unnest($6::uuid[], $7::text[], $8::text[]) o (parent, event, type)';

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

/** Which page of the dependents of which integration. */
export interface DependentsKey extends LinkKey {
  /** Of the parent. */
  type: string;
}

/** The workflows that need integrations, as mails about those name them too. */
export class DependentWorkflows {
  constructor(
    private readonly db: Database,
    private readonly offers: EventCatalog,
  ) {}

  /** Pages of many integrations, by one statement. */
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
