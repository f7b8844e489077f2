/** A column of sealed texts (`secrets.ts`): each is encrypted for its own row. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The sealed member, if the column is JSON. */
  member?: string;
  /** The primary key, with its SQL types. */
  key: Readonly<Record<string, 'uuid' | 'bytea'>>;
  /** SQL for the row id that the text is authenticated with. */
  id: string;
  /** The table that the text is authenticated with, if it was moved from there. */
  sealedFor?: string;
}

const BY_ID = { key: { id: 'uuid' }, id: 'id::text' } as const;

/** Every sealed column, listed by hand; a test searches the tables for others. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'action_lists', column: 'body', ...BY_ID },
  { table: 'authorizations', column: 'secrets', ...BY_ID },
  {
    table: 'idempotency_keys',
    column: 'answer',
    key: { account_id: 'uuid', digest: 'bytea' },
    id: `encode(digest, 'hex')`,
  },
  {
    table: 'former_webhook_secrets',
    column: 'secret',
    key: { id: 'uuid' },
    id: 'webhook_id::text',
    sealedFor: 'webhooks',
  },
  { table: 'integrations', column: 'credentials', ...BY_ID },
  { table: 'integrations', column: 'events_secret', ...BY_ID },
  { table: 'integrations', column: 'events_token', ...BY_ID },
  { table: 'integrations', column: 'provider_secret', ...BY_ID },
  { table: 'kept_secrets', column: 'secret', ...BY_ID },
  { table: 'triggers', column: 'config', member: 'secret', ...BY_ID },
  { table: 'triggers', column: 'hook_token', ...BY_ID },
  { table: 'webhooks', column: 'secret', ...BY_ID },
];

const FIRST = { uuid: '00000000-0000-0000-0000-000000000000', bytea: '\\x' } as const;

/** The values of a primary key as texts. */
export type Place = string[];

/** A place before the first row. */
export function startOf({ key }: SealedColumn): Place {
  return Object.values(key).map((type) => FIRST[type]);
}

/** SQL for the sealed text of a row. */
export function textOf({ column, member }: SealedColumn): string {
  return member === undefined ? column : `${column}->>'${member}'`;
}

/** SQL for the primary key as an array of texts. */
export function placeOf({ key }: SealedColumn): string {
  return `ARRAY[${Object.keys(key)
    .map((name) => `${name}::text`)
    .join(', ')}]`;
}

/** SQL for at most `$1` rows after a place, in the order of the primary key. The place is `$2` and following. */
export function pageOf({ table, key }: SealedColumn): string {
  const names = Object.keys(key).join(', ');
  const values = Object.values(key).map((type, index) => `$${index + 2}::${type}`);
  return `SELECT * FROM ${table} WHERE (${names}) > (${values.join(', ')}) ORDER BY ${names} LIMIT $1`;
}
