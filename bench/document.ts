import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.js';

const FILE = join(packageRoot, 'docs/performance.md');
const PLACE = /(<!-- bench -->\n\n)[^]*?(\n\n<!-- \/bench -->)/;

/** Puts a report between the two marks of docs/performance.md. @throws Error when it has no such place. */
export function writeReport(report: string): void {
  const text = readFileSync(FILE, 'utf8');
  if (!PLACE.test(text)) throw new Error(`${FILE} has no place for the table.`);
  writeFileSync(
    FILE,
    text.replace(PLACE, (_all, before: string, after: string) => before + report + after),
  );
}
