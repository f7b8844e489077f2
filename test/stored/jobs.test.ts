import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/platform/package-root.js';
import { PruneWorld } from './prune-world.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

interface Row {
  name: string;
  everyMs: number;
  file: string;
}

/** The rows of the table of jobs. */
function documented(): Row[] {
  const text = readFileSync(join(packageRoot, 'docs/jobs.md'), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)` +\| (\d+) (s|min|h) +\| [^|]+\| `([^`]+)` +\|$/gm)].map(
    ([, name, count, unit, file]) => ({ name: name!, everyMs: Number(count) * UNITS[unit!]!, file: file! }),
  );
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

describe('the periodic jobs', () => {
  let world: PruneWorld;
  beforeAll(async () => {
    // Two keys, because texts are encrypted again only then.
    world = await PruneWorld.open([randomBytes(32), randomBytes(32)]);
  });
  afterAll(() => world.close());

  it('are exactly those of docs/jobs.md, with their intervals', () => {
    const jobs = world.jobs.map(({ name, everyMs }) => ({ name, everyMs }));
    const rows = documented().map(({ name, everyMs }) => ({ name, everyMs }));
    expect(rows.sort(byName)).toEqual(jobs.sort(byName));
  });

  it('are named by their documented file', () => {
    const misplaced = documented().filter(
      ({ name, file }) => !readFileSync(join(packageRoot, 'src', file), 'utf8').includes(`name: '${name}'`),
    );
    expect(misplaced).toEqual([]);
  });

  it('have names of words with spaces', () => {
    expect(world.jobs.map(({ name }) => name).filter((name) => !/^[a-z]+( [a-z]+)+$/.test(name))).toEqual([]);
  });
});
