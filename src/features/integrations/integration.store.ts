import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable, type Transaction } from '../../platform/db/database.js';
import { missing } from '../../platform/db/missing.js';
import { type Caller, NOT_FOR_SESSIONS, type RequestContext } from '../../platform/context.js';
import { AppError, notFound } from '../../platform/errors.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { Integration } from './integration.entity.js';

const COLUMNS = columnsOf(Integration, 'i');

/** An integration together with its sealed credentials, which are no field of the type that leaves the service. */
export type StoredIntegration = Integration & { credentials: string | null };

const SELECT_STORED = `SELECT ${COLUMNS}, i.credentials FROM integrations i WHERE i.id = $1 AND i.deleted_at IS NULL`;

/** Selects integrations that are not deleted; `where` speaks of `i`. */
export function selectIntegrations(where: string): string {
  return `SELECT ${COLUMNS} FROM integrations i WHERE i.deleted_at IS NULL AND ${where}`;
}

/** One of the integrations that the caller reaches, by its id. @throws AppError as `unreachable` says. */
export async function findIntegration(on: Queryable, context: RequestContext, id: string): Promise<Integration> {
  const uuid = fromPublicId('int', id);
  const [integration] = uuid
    ? await on.select(Integration, selectIntegrations('i.id = $1 AND i.account_id = $2'), [uuid, context.accountId])
    : [];
  if (integration !== undefined && isOwn(context.caller, integration)) return integration;
  throw await unreachable(on, context, uuid);
}

/** Whether an integration of the account is one that the caller may reach: any, but to a connect session its own. */
export function isOwn(
  caller: Caller,
  { uuid, connectSessionId }: Pick<Integration, 'uuid' | 'connectSessionId'>,
): boolean {
  if (caller.kind !== 'connect_session') return true;
  return uuid === caller.integrationId || connectSessionId === caller.sessionId;
}

/**
 * The error for an integration that the caller doesn't reach: `not_found`, or `unauthorized` when it is another account's;
 * for a connect session `forbidden`, so that it learns of no other, and `not_found` for its own that was deleted.
 */
export async function unreachable(
  on: Queryable,
  { accountId, caller }: RequestContext,
  uuid: string | undefined,
): Promise<AppError> {
  if (caller.kind === 'connect_session') {
    const own =
      uuid === caller.integrationId ||
      (await on
        .query(`SELECT 1 FROM integrations WHERE id = $1 AND connect_session_id = $2`, [uuid ?? null, caller.sessionId])
        .then((rows) => rows.length > 0));
    return own ? notFound('integration') : new AppError('forbidden', NOT_FOR_SESSIONS);
  }
  return missing(on, 'integrations', uuid, accountId);
}

/** The same, locked until the transaction ends: who changes an integration holds its row first. */
export async function lockIntegration(
  tx: Transaction,
  context: RequestContext,
  id: string,
): Promise<StoredIntegration> {
  const uuid = fromPublicId('int', id);
  const integration = uuid ? await lockByUuid(tx, uuid) : undefined;
  if (integration?.accountId === context.accountId && isOwn(context.caller, integration)) return integration;
  throw await unreachable(tx, context, uuid);
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
