import { fromPublicId, newUuid } from '../../../src/platform/ids/ids.js';
import { type TestServer } from '../server.js';

const PREFIXES = { integrations: 'int', triggers: 'trg' } as const;

/** Inserts newer copies of a row with `changes`: more than fit on one page. */
export async function addCopies(
  { db, clock }: TestServer,
  table: keyof typeof PREFIXES,
  of: string,
  { count, ...changes }: { count: number; [column: string]: unknown },
): Promise<void> {
  const ids = Array.from({ length: count }, () => newUuid(clock.now()));
  // Columns that a table lacks are ignored; the digest is unique.
  await db.query(
    `INSERT INTO ${table}
     SELECT (jsonb_populate_record(t, $3::jsonb || jsonb_build_object(
       'id', new.id, 'events_digest', '\\x' || replace(new.id::text, '-', '')))).*
     FROM ${table} t, unnest($2::uuid[]) new (id) WHERE t.id = $1`,
    [fromPublicId(PREFIXES[table], of), ids, JSON.stringify(changes)],
  );
}
