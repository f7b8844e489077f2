import { createHash } from 'node:crypto';

const names = new Map<string, string>();

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
