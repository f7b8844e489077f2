import { type AuditEntryFactsFragment } from './audit-log.generated.js';

const HEADERS = [
  ...['id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action'],
  ...['resource_type', 'resource_id', 'resource_name', 'address', 'before', 'after'],
];

/** Spreadsheets execute a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Entries as CSV (RFC 4180), with a header. A cell that a spreadsheet would execute begins with an apostrophe. */
export function auditCsv(entries: readonly AuditEntryFactsFragment[]): string {
  const rows = entries.map(({ id, at, actor, action, resource, address, before, after }) => [
    ...[id, at, actor.kind.toLowerCase(), actor.id, actor.name, action],
    ...[resource.type, resource.id, resource.name, address, jsonOf(before), jsonOf(after)],
  ]);
  return [HEADERS, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}

function cellOf(value: string | null): string {
  const text = value ?? '';
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
