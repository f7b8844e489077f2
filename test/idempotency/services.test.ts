import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { packageRoot } from '../../src/platform/package-root.js';

const CALL = /\bdb\.(?:query|select)(?:<[^(]*>)?\(/g;
const WRITES = /\b(?:INSERT INTO|DELETE FROM|UPDATE \w+ )/;
/** Claims its key before the unit of work, and releases it after. */
const OUTSIDE = 'src/features/idempotency/idempotency.service.ts';

/** The text of a call up to its closing parenthesis. */
function argumentsAt(source: string, start: number): string {
  let end = start;
  for (let depth = 1; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[source[end]!] ?? 0;
  return source.slice(start, end);
}

/** `query` and `select` outside a transaction do not begin that of a unit of work: a failure would leave their writes. */
it('services write by db.write or in a transaction', () => {
  const found = globSync('src/features/**/*.service.ts', { cwd: packageRoot })
    .filter((file) => file !== OUTSIDE)
    .flatMap((file) => {
      const source = readFileSync(join(packageRoot, file), 'utf8');
      const calls = [...source.matchAll(CALL)].map(({ index, 0: { length } }) => argumentsAt(source, index + length));
      return calls.filter((call) => WRITES.test(call)).map((call) => `${file}: ${call.slice(0, 60)}`);
    });
  expect(found).toEqual([]);
});
