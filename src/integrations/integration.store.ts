import { columnsOf } from '../db/columns.js';
import { type Queryable, type Transaction } from '../db/database.js';
import { missing } from '../db/missing.js';
import { type RequestContext } from '../context.js';
import { fromPublicId } from '../ids.js';
import { Integration } from './integration.entity.js';

const COLUMNS = columnsOf(Integration, 'i');

/** An integration together with its sealed credentials, which are no field of the type that leaves the service. */
export type StoredIntegration = Integration & { credentials: string | null };

const SELECT_STORED = `SELECT ${COLUMNS}, i.credentials FROM integrations i WHERE i.id = $1 AND i.deleted_at IS NULL`;

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
  return integration ?? Promise.reject(await missing(on, 'integrations', uuid, accountId));
}

/** The same, locked until the transaction ends: who changes an integration holds its row first. */
export async function lockIntegration(
  tx: Transaction,
  { accountId }: RequestContext,
  id: string,
): Promise<StoredIntegration> {
  const uuid = fromPublicId('int', id);
  const integration = uuid ? await lockByUuid(tx, uuid) : undefined;
  if (integration?.accountId === accountId) return integration;
  throw await missing(tx, 'integrations', uuid, accountId);
}

/** Locks an integration whoever owns it: for the service's own work. Undefined when it is gone. */
export async function lockByUuid(tx: Transaction, uuid: string): Promise<StoredIntegration | undefined> {
  const [integration] = await tx.select(Integration, `${SELECT_STORED} FOR UPDATE`, [uuid]);
  return integration as StoredIntegration | undefined;
}

/** The same without a lock, to look at its credentials. */
export async function findByUuid(on: Queryable, uuid: string): Promise<StoredIntegration | undefined> {
  const [integration] = await on.select(Integration, SELECT_STORED, [uuid]);
  return integration as StoredIntegration | undefined;
}
