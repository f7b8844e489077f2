import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database } from '../../platform/db/database.js';
import { COUNT_LIMIT, emptyPage, isFar, type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { validationError } from '../../platform/errors.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { lowestUuidAt } from '../../platform/ids/uuid-range.js';
import { isAuditAction, RESOURCES } from './audit-action.js';
import { AuditEntry } from './audit-entry.entity.js';
import { type AuditFilter } from './audit-log.inputs.js';

/** The names of people are read and not stored, so that they end with the user. */
const COLUMNS = `${columnsOf(AuditEntry, 'e')},
  CASE e.author_kind WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = e.author_id)
    WHEN 'api_key' THEN (SELECT k.label FROM api_keys k WHERE k.id = e.author_id) END AS "presentAuthor",
  CASE e.resource_type WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = e.resource_id)
    WHEN 'invitation' THEN (SELECT i.email FROM invitations i WHERE i.id = e.resource_id) END AS "presentResource"`;

const ACTORS = ['usr', 'key', 'cs'] as const;

/** Reads the audit log. Nothing else reads it, and no method changes it. */
export class AuditLogService {
  constructor(private readonly db: Database) {}

  /** Newest first. A filter with an unknown id matches nothing. @throws AppError `validation_error` for an unknown action. */
  async list({ accountId }: RequestContext, wanted: AuditFilter, span: Span, counts = true): Promise<Page<AuditEntry>> {
    const filter = conditionsOf(wanted);
    if (filter === undefined) return emptyPage(span, 'aud');
    const on = filter.isSought || isFar(span) ? this.db.expensive : this.db;
    const { where, values } = filter;
    const list = { entity: AuditEntry, prefix: 'aud', columns: COLUMNS, from: 'audit_log e', accountId } as const;
    return selectPage(on, { ...list, where, values, countUpTo: COUNT_LIMIT }, span, counts ? this.db.expensive : null);
  }
}

/** Undefined for an ill-formed id, which nothing has. */
function conditionsOf({ actor, action, resource, createdAfter, createdBefore }: AuditFilter) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    conditions.push(`${condition} $${values.push(value) + 1}`);
  };
  if (actor != null) {
    const uuid = uuidWith(ACTORS, actor);
    if (uuid === undefined) return undefined;
    add('e.author_id =', uuid);
  }
  if (action != null) {
    if (!isAuditAction(action))
      throw validationError({ field: 'action', message: 'is not an action of the audit log' });
    add('e.action =', action);
  }
  if (resource != null) {
    const uuid = uuidWith(Object.values(RESOURCES), resource);
    if (uuid === undefined) return undefined;
    add('e.resource_id =', uuid);
  }
  // Times as id ranges: they use the index and skip the partitions of other weeks.
  if (createdAfter) add('e.id >=', lowestUuidAt(createdAfter.getTime() + 1));
  if (createdBefore) add('e.id <', lowestUuidAt(createdBefore.getTime()));
  return { where: conditions.join(' AND '), values, isSought: actor != null || action != null };
}

function uuidWith(prefixes: readonly Parameters<typeof fromPublicId>[0][], id: string): string | undefined {
  return prefixes.map((prefix) => fromPublicId(prefix, id)).find((uuid) => uuid !== undefined);
}
