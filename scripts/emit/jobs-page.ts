import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PeriodicJob } from '../../src/platform/jobs/periodic.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { link, table } from './markdown.js';
import { sourceFiles } from './sources.js';

/** Units of time with their milliseconds, the longest first. */
const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

const INTRODUCTION = `A process with the role \`worker\` runs these jobs from its start to its stop
([jobs/periodic.ts](../src/platform/jobs/periodic.ts)). The interval is the pause between two turns in a process, varied by
up to a tenth. Turns of several processes may overlap: no job needs to run alone. A failed turn is logged as \`job failed\`
with the job's name, and the next turn tries again.

Made by \`npm run emit\` from the jobs themselves; \`npm run check\` fails when it is stale.`;

/** `docs/jobs.md`: all periodic jobs, in the order of the wiring. */
export function jobsPage(jobs: readonly PeriodicJob[]): string {
  const files = sourceFiles('.job.ts').map((file) => ({ file, text: readFileSync(join(packageRoot, file), 'utf8') }));
  const rows = jobs.map(({ name, what, everyMs }) => [
    `\`${name}\``,
    intervalOf(everyMs),
    what,
    link(fileOf(name, files)),
  ]);
  return ['# Periodic jobs', INTRODUCTION, table(['Job', 'Interval', 'What it does', 'File'], rows), ''].join('\n\n');
}

/** @throws Error unless exactly one file names the job. */
function fileOf(name: string, files: readonly { file: string; text: string }[]): string {
  const [found, ...others] = files.filter(({ text }) => text.includes(`name: '${name}'`));
  if (found === undefined || others.length > 0)
    throw new Error(`Not one .job.ts file, but ${others.length === 0 ? 'none' : 'several'} names "${name}".`);
  return found.file;
}

function intervalOf(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms % each === 0)!;
  return `${ms / size} ${unit}`;
}
