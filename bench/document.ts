import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/platform/package-root.js';

/** Writes a report between two marks of its document. @throws Error when the marks are missing. */
export function writeReport(name: string, report: string): void {
  const file = join(packageRoot, name === 'capacity' ? 'docs/operations/sizing.md' : 'docs/performance.md');
  const place = new RegExp(`(<!-- ${name} -->\\n\\n)[^]*?(\\n\\n<!-- /${name} -->)`);
  const text = readFileSync(file, 'utf8');
  if (!place.test(text)) throw new Error(`${file} has no place for the table.`);
  writeFileSync(
    file,
    text.replace(place, (_all, before: string, after: string) => before + report + after),
  );
}
