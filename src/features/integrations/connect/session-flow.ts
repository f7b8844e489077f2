import { columnsOf } from '../../../platform/db/columns.js';
import { type Queryable, type Transaction } from '../../../platform/db/database.js';
import { AppError, type ErrorDetail } from '../../../platform/errors.js';
import { type App } from '../apps/app.js';
import { checkParameters } from '../apps/parameters.js';
import { type AuthorizationFlows } from './authorization-flow.js';
import { type ConnectSession } from './connect-session.entity.js';
import { Integration } from '../integration.entity.js';
import { type ConnectIntegrationInput } from '../integration.inputs.js';
import { lockByUuid, type StoredIntegration } from '../integration.store.js';
import { type ChangeRecorder } from '../changes/record-change.js';

const COLUMNS = columnsOf(Integration, 'i');

/**
 * The input of connect under a session: values that the session fixes win. @throws AppError `forbidden` for a type that
 * the session does not connect.
 */
export function fixedBy(session: ConnectSession, input: ConnectIntegrationInput): ConnectIntegrationInput {
  if (session.type !== null && input.type !== session.type)
    throw new AppError('forbidden', `This session connects ${session.type}: another type needs another session.`);
  return {
    auth: input.auth,
    credentials: input.credentials,
    type: input.type,
    label: session.label ?? input.label,
    reference: session.reference ?? input.reference,
    parameters: session.parameters ?? input.parameters,
    returnUrl: session.returnUrl ?? input.returnUrl,
  };
}

/**
 * Makes a flow of `type` the session's only one. Concurrent starts wait for each other here, and an open flow of
 * another type ends as superseded. A session connects one integration; starting again continues with it.
 * @returns the locked integration; undefined if there is none yet. @throws AppError `conflict` if the session has
 * connected another type, or if its integration was deleted.
 */
export async function claimFlow(
  tx: Transaction,
  deps: { changes: ChangeRecorder; flows: AuthorizationFlows },
  { uuid }: ConnectSession,
  type: string,
): Promise<StoredIntegration | undefined> {
  await tx.query(`SELECT 1 FROM connect_sessions WHERE id = $1 FOR UPDATE`, [uuid]);
  const own = await tx.select(
    Integration,
    `SELECT ${COLUMNS} FROM integrations i WHERE i.connect_session_id = $1 ORDER BY i.id DESC`,
    [uuid],
  );
  // A session may not recreate an integration that the account has deleted.
  if (own.some(({ deletedAt }) => deletedAt !== null)) throw deleted();
  const connected = own.find(({ lastConnectedAt }) => lastConnectedAt !== null);
  if (connected !== undefined && connected.type !== type)
    throw new AppError('conflict', `This session has connected ${connected.type}: another type needs another session.`);
  for (const other of own) if (other.type !== type) await supersede(tx, deps, other.uuid);
  const same = own.find((one) => one.type === type);
  return same && lockByUuid(tx, same.uuid);
}

/** The error for a session whose integration the account has deleted. */
export function deleted(): AppError {
  return new AppError('conflict', 'The integration of this session was deleted.');
}

/** The parameters of the integration of `type` that the session has connected; undefined if there is none. */
export async function connectedParameters(
  on: Queryable,
  { uuid, accountId }: ConnectSession,
  type: string,
): Promise<Record<string, string> | undefined> {
  const [connected] = await on.query<{ parameters: Record<string, string> }>(
    `SELECT parameters FROM integrations WHERE account_id = $1 AND connect_session_id = $2 AND type = $3
       AND connected_at IS NOT NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT 1`,
    [accountId, uuid, type],
  );
  return connected?.parameters;
}

/**
 * As `checkParameters`, for a connection that was made: its credentials belong to the parameters that it has, so these stay
 * and may be left out. @throws AppError `conflict` for other ones.
 */
export function keepParameters(
  app: App,
  kept: Record<string, string>,
  given: Record<string, unknown> | null | undefined,
): { values: Record<string, string>; details: ErrorDetail[] } {
  if (given == null) return { values: kept, details: [] };
  const known = app.parameters.filter(({ name }) => Object.hasOwn(kept, name)).map(({ name }) => [name, kept[name]]);
  const { values, details } = checkParameters(app, { ...Object.fromEntries(known), ...given });
  if (details.length > 0) return { values: {}, details };
  demandSame(app.type, kept, Object.fromEntries(Object.keys(given).map((name) => [name, values[name]!])));
  return { values: kept, details: [] };
}

function demandSame(type: string, kept: Record<string, string>, given: Record<string, string>): void {
  const others = Object.keys(given).filter((name) => given[name] !== kept[name]);
  if (others.length === 0) return;
  const message = `This session has connected ${type} with other parameters (${others.join(', ')}): leave them out to connect it again. Other parameters need another session.`;
  throw new AppError('conflict', message);
}

/**
 * Updates label, reference and parameters of an integration that was never connected. Others stay unchanged. @throws
 * AppError `conflict` if it was connected with other parameters in between.
 */
export async function amend(
  tx: Transaction,
  integration: StoredIntegration,
  { type, label, reference }: ConnectIntegrationInput,
  parameters: Record<string, string>,
): Promise<void> {
  if (integration.lastConnectedAt !== null) return demandSame(type, integration.parameters, parameters);
  Object.assign(integration, { name: label ?? type, reference: reference ?? null, parameters });
  await tx.query(`UPDATE integrations SET name = $2, reference = $3, parameters = $4 WHERE id = $1`, [
    integration.uuid,
    integration.name,
    integration.reference,
    JSON.stringify(parameters),
  ]);
}

async function supersede(
  tx: Transaction,
  { changes, flows }: { changes: ChangeRecorder; flows: AuthorizationFlows },
  uuid: string,
): Promise<void> {
  const other = await lockByUuid(tx, uuid);
  if (other === undefined || (await flows.take(tx, uuid)) === undefined) return;
  await changes.record(tx, uuid, { from: other.status, to: 'disconnected', reason: 'superseded' });
}
