import { type RequestContext, NOT_FOR_SESSIONS } from '../../platform/context.js';
import { type Database } from '../../platform/db/database.js';
import { AppError } from '../../platform/errors.js';
import { nodesOf, type NodeSource } from '../../platform/graphql/nodes.js';
import { IntegrationStatusChange } from './changes/integration-change.entity.js';
import { Integration } from './integration.entity.js';
import { isOwn } from './integration.store.js';

/** Integrations and their changes by id. A connect session gets only its own integration. */
export function integrationNodes(db: Database): NodeSource[] {
  const integrations = nodesOf(db, { table: 'integrations', entity: Integration, where: 'n.deleted_at IS NULL' });
  const load = async (context: RequestContext, ids: readonly string[]) => {
    const found = await integrations.load(context, ids);
    if (context.caller.kind !== 'connect_session') return found;
    return found.map((one) =>
      one instanceof Integration && isOwn(context.caller, one) ? one : new AppError('forbidden', NOT_FOR_SESSIONS),
    );
  };
  return [
    { ...integrations, access: 'follow', load },
    nodesOf(db, { table: 'integration_changes', entity: IntegrationStatusChange }),
  ];
}
