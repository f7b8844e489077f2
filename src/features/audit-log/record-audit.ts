import { isDeepStrictEqual } from 'node:util';
import { type Queryable } from '../../platform/db/database.js';
import { isoSql } from '../../platform/db/iso-sql.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { type Author, currentOrigin } from '../../platform/admission/origin.js';
import { type AuditAction } from './audit-action.js';

/** Public fields of a resource, in REST's names. Each feature lists them; none is a secret or personal. */
export type Facts = Readonly<Record<string, unknown>>;

/** What was changed, as the service says that changes it. */
export interface AuditedChange {
  accountId: string;
  action: AuditAction;
  /** The uuid of the resource, whose type is the first word of the action. */
  resource: string;
  /** Its name at the change; null for users and invitations, whose present names are read. */
  name: string | null;
  before?: Facts | null;
  after?: Facts | null;
  /** Whether an update changed something that the facts leave out, e.g. a secret: it has an entry although they are equal. */
  changesUnseen?: boolean;
  /** The author, where the request itself does not tell: a person who has just become a user. */
  by?: Author;
}

const COLUMNS = [
  ...['id', 'at', 'account_id', 'author_kind', 'author_id', 'author_name', 'action'],
  ...['resource_type', 'resource_id', 'resource_name', 'address', 'before', 'after'],
].join(', ');

const RECORD = `
  INSERT INTO audit_log (${COLUMNS})
  SELECT ${COLUMNS} FROM json_populate_recordset(NULL::audit_log, $1::json)`;

/** Whether an action sets fields. Only such a change may change nothing: a rotation with equal facts has a new secret. */
function isUpdate(action: string): boolean {
  return action.endsWith('.updated');
}

/**
 * Writes entries of the audit log in the transaction of the changes, so that they are committed together. The author and
 * the address are those of the request or command that the call chain began with. An update that changed nothing has no
 * entry.
 */
export async function recordAudit(tx: Queryable, now: Date, ...changes: readonly AuditedChange[]): Promise<void> {
  const effective = changes.filter(
    ({ action, before, after, changesUnseen }) =>
      !isUpdate(action) || changesUnseen === true || !isDeepStrictEqual(before, after),
  );
  if (effective.length === 0) return;
  const entries = effective.map(({ accountId, action, resource, name, before, after, by }) => ({
    ...originOf(now, by),
    account_id: accountId,
    action,
    resource_type: action.split('.', 1)[0],
    resource_id: resource,
    resource_name: name,
    before: before ?? null,
    after: after ?? null,
  }));
  await tx.query(RECORD, [JSON.stringify(entries)]);
}

/** `before` or `after` of a row that is new or deleted. */
export const NO_FACTS = 'NULL::json';

/** SQL expressions of a change, of the row `from`. */
export interface AuditedSql {
  /** An action, or the parameter with it. */
  action: AuditAction | `$${number}`;
  /** The parameter with `auditParameter`; null: nothing is written. */
  entry: string;
  from: string;
  accountId: string;
  resource: string;
  name: string;
  before: string;
  after: string;
  /** The condition under which an update has an entry, where the facts do not tell. */
  changes?: string;
}

/**
 * A statement for a `WITH` that writes an entry for each row of `from`: for changes that are one statement. As with
 * `recordAudit`, an update that changed nothing has none.
 */
export function auditing(sql: AuditedSql): string {
  const { action, entry, from, accountId, resource, name, before, after } = sql;
  // As texts: `json` has no equality. Facts of one update are built in the same order.
  const { changes = `(${before})::text IS DISTINCT FROM (${after})::text` } = sql;
  const done = action.startsWith('$') ? `${action}::text` : `'${action}'`;
  return `INSERT INTO audit_log (${COLUMNS})
    SELECT e.id, e.at, ${accountId}, e.author_kind, e.author_id, e.author_name, ${done},
      split_part(${done}, '.', 1), ${resource}, ${name}, e.address, ${before}, ${after}
    FROM ${from}, json_populate_record(NULL::audit_log, ${entry}::json) e
    WHERE e.id IS NOT NULL${isUpdate(action) ? ` AND ${changes}` : ''}`;
}

/** SQL for the facts of a row: the columns `names` under `prefix`, and the times `times` as REST writes them. */
export function factsSql(prefix: string, names: readonly string[], times: readonly string[] = []): string {
  const pairs = [
    ...names.map((name) => `'${name}', ${prefix}${name}`),
    ...times.map((name) => `'${name}', ${isoSql(`${prefix}${name}`)}`),
  ];
  return `json_build_object(${pairs.join(', ')})`;
}

/** The parameter of `auditing`: author, address and time. */
export function auditParameter(now: Date): string {
  return JSON.stringify(originOf(now));
}

function originOf(now: Date, by?: Author) {
  const { author, address } = currentOrigin();
  const { kind, uuid, name } = by ?? author;
  const id = newUuid(now);
  return { id, at: timeOf(id), author_kind: kind, author_id: uuid, author_name: name, address };
}
