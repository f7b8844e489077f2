import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/** Statements have keywords in capitals and names in small letters, so `FOR UPDATE OF w` is none. */
const WRITES = /\b(?:INSERT INTO|DELETE FROM|MERGE INTO|UPDATE [a-z_]+)\b/;

/**
 * The name under which a statement is prepared once per connection: the digest of its text, so that equal texts share a
 * plan. Texts must come from a bounded set; values belong into parameters.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return name;
}

/** Whether a statement writes rows. Functions that write are called by statements of transactions only. */
export function isWrite(text: string): boolean {
  return WRITES.test(text);
}
