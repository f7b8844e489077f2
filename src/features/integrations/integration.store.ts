import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable, type Transaction } from '../../platform/db/database.js';
import { notFoundOrForeign } from '../../platform/db/owned-rows.js';
import { type Caller, NOT_FOR_SESSIONS, type RequestContext } from '../../platform/context.js';
import { AppError, notFound } from '../../platform/errors.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { Integration } from './integration.entity.js';
import { type ExternalAccount } from './tokens/probe.js';

const COLUMNS = columnsOf(Integration, 'i');

/** An integration with its sealed credentials, which are not part of the API type. */
export type StoredIntegration = Integration & { credentials: string | null };

const SELECT_STORED = `SELECT ${COLUMNS}, i.credentials FROM integrations i WHERE i.id = $1 AND i.deleted_at IS NULL`;

/** SQL that selects integrations that are not deleted; `where` is a condition on `i`. */
export function selectIntegrations(where: string): string {
  return `SELECT ${COLUMNS} FROM integrations i WHERE i.deleted_at IS NULL AND ${where}`;
}

/** An integration that the caller may access, by its public id. @throws AppError of `unreachable`. */
export async function findIntegration(on: Queryable, context: RequestContext, id: string): Promise<Integration> {
  const uuid = fromPublicId('int', id);
  const [integration] = uuid
    ? await on.select(Integration, selectIntegrations('i.id = $1 AND i.account_id = $2'), [uuid, context.accountId])
    : [];
  if (integration !== undefined && isOwn(context.caller, integration)) return integration;
  throw await unreachable(on, context, uuid);
}

/** Whether the caller may access an integration of its account. A connect session may access only its own. */
export function isOwn(
  caller: Caller,
  { uuid, connectSessionId }: Pick<Integration, 'uuid' | 'connectSessionId'>,
): boolean {
  if (caller.kind !== 'connect_session') return true;
  return uuid === caller.integrationId || connectSessionId === caller.sessionId;
}

/**
 * The error for an integration that the caller can't access: `not_found`, or `unauthorized` for another account's. A
 * connect session gets `forbidden`, which reveals nothing about others, and `not_found` for its own deleted
 * integration.
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
  return notFoundOrForeign(on, 'integrations', uuid, accountId);
}

/** As `findIntegration`, and locks the row until the transaction ends. Required before any change of an integration. */
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

/** Locks an integration of any account, for jobs and callbacks. Undefined if it is deleted. */
export async function lockByUuid(tx: Transaction, uuid: string): Promise<StoredIntegration | undefined> {
  const [integration] = await tx.select(Integration, `${SELECT_STORED} FOR UPDATE`, [uuid]);
  return integration as StoredIntegration | undefined;
}

/** As `lockByUuid`, without a lock. */
export async function findByUuid(on: Queryable, uuid: string): Promise<StoredIntegration | undefined> {
  const [integration] = await on.select(Integration, SELECT_STORED, [uuid]);
  return integration as StoredIntegration | undefined;
}

/**
 * Stores the time of connecting and the account at the application; without `account` the earlier one stays. The
 * credentials are stored separately.
 */
export async function storeConnection(
  tx: Transaction,
  uuid: string,
  { at, account }: { at: Date; account: ExternalAccount | undefined },
): Promise<void> {
  await tx.query(
    `UPDATE integrations SET connected_at = $2, external_id = coalesce($3, external_id),
       external_name = CASE WHEN $3::text IS NULL THEN external_name ELSE $4 END WHERE id = $1`,
    [uuid, at, account?.id ?? null, account?.name ?? null],
  );
}
