import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobsPage } from '../../scripts/emit/jobs-page.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { sources } from '../support/database/sql-tables.js';
import { PruneWorld } from './prune-world.js';

/** The only export that is a function and returns jobs. */
const MAKER = /^export function \w+Jobs?\([^]*?\): PeriodicJob(?:\[\])? \{$/gm;

const files = sources().map(({ file, text }) => ({ file, text, names: [...text.matchAll(/\bname: '([^']+)',/g)] }));

describe('the periodic jobs', () => {
  let world: PruneWorld;
  beforeAll(async () => {
    // Two keys, because texts are encrypted again only then.
    world = await PruneWorld.open([randomBytes(32), randomBytes(32)]);
  });
  afterAll(() => world.close());

  it('are exactly those of docs/jobs.md', () => {
    expect(readFileSync(join(packageRoot, 'docs/jobs.md'), 'utf8')).toBe(jobsPage(world.jobs));
  });

  it('are all that a file of jobs creates', () => {
    const created = files.filter(({ file }) => file.endsWith('.job.ts')).flatMap(({ names }) => names);
    expect(created.map(([, name]) => name).sort()).toEqual(world.jobs.map(({ name }) => name).sort());
  });

  it('have names of words with spaces, and a sentence of their own', () => {
    expect(world.jobs.filter(({ name }) => !/^[a-z]+( [a-z]+)+$/.test(name))).toEqual([]);
    expect(world.jobs.filter(({ what }) => !/^[A-Z][^|\n]+\.$/.test(what))).toEqual([]);
    expect(new Set(world.jobs.map(({ what }) => what)).size).toBe(world.jobs.length);
  });
});

describe('a file of jobs', () => {
  const ofJobs = files
    .filter(({ text }) => /\beveryMs: (?!number)/.test(text) && /\bPeriodicJob\b/.test(text))
    .map(({ file }) => file);

  it('is a .job.ts, and every .job.ts is one', () => {
    expect(ofJobs.length).toBeGreaterThan(10);
    expect(files.map(({ file }) => file).filter((file) => /\.jobs?\.ts$/.test(file))).toEqual(ofJobs);
  });

  it.each(ofJobs)('exports one function that creates them: %s', (file) => {
    expect(files.find((each) => each.file === file)!.text.match(MAKER)).toHaveLength(1);
  });
});
