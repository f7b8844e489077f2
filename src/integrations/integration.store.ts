import { columnsOf } from '../db/columns.js';
import { type Queryable, type Transaction } from '../db/database.js';
import { missing } from '../db/missing.js';
import { type RequestContext } from '../context.js';
import { fromPublicId } from '../ids.js';
import { Integration } from './integration.entity.js';

const COLUMNS = columnsOf(Integration, 'i');

/** An integration together with its sealed credentials, which are no field of the type that leaves the service. */
export type StoredIntegration = Integration & { credentials: string | null };

const STORED = `${COLUMNS}, i.credentials`;

/** Selects integrations that are not deleted; `where` speaks of `i`. */
export function selectIntegrations(where: string): string {
  return `SELECT ${COLUMNS} FROM integrations i WHERE i.deleted_at IS NULL AND ${where}`;
}

/** One of the account's integrations by its id. @throws AppError `not_found` or `unauthorized`. */
export async function findIntegration(on: Queryable, { accountId }: RequestContext, id: string): Promise<Integration> {
  const uuid = fromPublicId('int', id);
  const [integration] = uuid
    ? await on.select(Integration, selectIntegrations('i.id = $1 AND i.account_id = $2'), [uuid, accountId])
    : [];
  return integration ?? Promise.reject(await missingIntegration(on, uuid));
}

/** The same, locked until the transaction ends: who changes an integration holds its row first. */
export async function lockIntegration(
  tx: Transaction,
  { accountId }: RequestContext,
  id: string,
): Promise<StoredIntegration> {
  const uuid = fromPublicId('int', id);
  const integration = uuid ? await lockByUuid(tx, uuid) : undefined;
  return integration?.accountId === accountId ? integration : Promise.reject(await missingIntegration(tx, uuid));
}

/** Locks an integration whoever owns it: for the service's own work. Undefined when it is gone. */
export async function lockByUuid(tx: Transaction, uuid: string): Promise<StoredIntegration | undefined> {
  const [integration] = await tx.select(
    Integration,
    `SELECT ${STORED} FROM integrations i WHERE i.id = $1 AND i.deleted_at IS NULL FOR UPDATE`,
    [uuid],
  );
  return integration as StoredIntegration | undefined;
}

async function missingIntegration(on: Queryable, uuid: string | undefined) {
  return missing(on, 'integrations', uuid);
}
