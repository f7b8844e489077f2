import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/platform/package-root.js';

const FILE = join(packageRoot, 'docs/performance.md');
/** Writes a report between two marks of docs/performance.md. @throws Error when the marks are missing. */
export function writeReport(name: string, report: string): void {
  const place = new RegExp(`(<!-- ${name} -->\\n\\n)[^]*?(\\n\\n<!-- /${name} -->)`);
  const text = readFileSync(FILE, 'utf8');
  if (!place.test(text)) throw new Error(`${FILE} has no place for the table.`);
  writeFileSync(
    FILE,
    text.replace(place, (_all, before: string, after: string) => before + report + after),
  );
}
