import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';

/** A table that the SQL of a file names. */
export interface TableUse {
  table: string;
  /** The path below `src`. */
  file: string;
  writes: boolean;
}

/** A comment that starts its line; SQL texts have none. */
const COMMENT = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const NAME = String.raw`(?:ONLY\s+|LATERAL\s+)?"?[a-z_]\w*"?`;
/** An entry of a list behind FROM: a table or a call, then its alias. Keywords are written in capitals. */
const ENTRY = String.raw`${NAME}(?:\([^()]*\))?(?:\s+(?:AS\s+)?[a-z_]\w*(?:\s*\([^()]*\))?)?`;
const WRITE = new RegExp(
  String.raw`(?:\bINSERT\s+INTO|\bMERGE\s+INTO|\bDELETE\s+FROM|\bTRUNCATE(?:\s+TABLE)?|(?<!\bFOR\s+(?:NO\s+KEY\s+)?)\bUPDATE)\s+(?:ONLY\s+)?"?([a-z_]\w*)`,
  'g',
);
const READ = new RegExp(String.raw`(?<!\bDELETE\s+)\b(?:FROM|JOIN|USING)\s+(${ENTRY}(?:\s*,\s*${ENTRY})*)`, 'g');
/** The arguments of `prune` and a sealed column: both change rows of a table that they name. */
const WRITE_BY_NAME = /\btable: '(\w+)',\s*column:/g;
/** The source of a page, the table of a row that is read or changed by its public id, and both tables of a change log. */
const READ_BY_NAME = [/\bfrom: '([a-z_]+) [a-z]+'/g, /\btable: '(\w+)',\s*(?:accountId|counter|key)\b/g];
/** SQL whose table is computed. */
const COMPUTED =
  /(?:\b(?:FROM|JOIN|INTO|USING|TRUNCATE|TABLE)|(?<!\bFOR\s+(?:NO\s+KEY\s+)?)\bUPDATE)\s+(?:ONLY\s+)?\$\{/;

/** Every file of the service with its text, without migrations, the dashboard and comments. */
export function sources(): { file: string; text: string }[] {
  const src = join(packageRoot, 'src');
  return globSync('**/*.ts', { cwd: src })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('dashboard/') && !file.startsWith('platform/db/migrations/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8').replace(COMMENT, '') }));
}

/** The names that a text of SQL reads and writes; those of subqueries (`WITH`) too. */
export function namesIn(text: string): { reads: Set<string>; writes: Set<string> } {
  const [reads, writes] = [new Set<string>(), new Set<string>()];
  for (const pattern of [WRITE, WRITE_BY_NAME]) for (const [, name] of text.matchAll(pattern)) writes.add(name!);
  for (const [, list] of text.matchAll(READ)) {
    for (const [, name] of list!.matchAll(/(?:^|,)\s*(?:ONLY\s+|LATERAL\s+)?"?([a-z_]\w*)"?(?!\w|\()/g))
      reads.add(name!);
  }
  for (const pattern of READ_BY_NAME) for (const [, name] of text.matchAll(pattern)) reads.add(name!);
  return { reads, writes };
}

/** Which files of the service read and write which of the tables. */
export function usesOf(tables: ReadonlySet<string>): TableUse[] {
  return sources().flatMap(({ file, text }) => {
    const { reads, writes } = namesIn(text);
    const isTable = (name: string) => tables.has(name);
    return [
      ...[...reads].filter(isTable).map((table) => ({ table, file, writes: false })),
      ...[...writes].filter(isTable).map((table) => ({ table, file, writes: true })),
    ];
  });
}

/** The files whose SQL computes the name of a table, which no search for names finds. */
export function filesOfComputedTables(): string[] {
  return sources()
    .filter(({ text }) => COMPUTED.test(text))
    .map(({ file }) => file);
}
