import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Files that take long, mostly by waiting. Some are small, and without a cache would run last and alone. */
const FIRST = [
  'waiting/waiting-at-scale.test.ts',
  'integrations/changes/subscription-races.test.ts',
  'integrations/calls/call-time.test.ts',
  'graphql/subscriptions/heartbeat.test.ts',
  'runs/execution/fairness.test.ts',
  'faults/kill.test.ts',
  'faults/runs-kill.test.ts',
  'faults/rolling-restart.test.ts',
  'faults/hostile-targets.test.ts',
  'fuzz/doors.test.ts',
  'fuzz/graphql.test.ts',
  'fuzz/rest.test.ts',
  'fuzz/subscriptions.test.ts',
];
const FOLDER = join(import.meta.dirname, '../..');

/**
 * Sorts those first, then in Jest's own order: slowest of the last run, or largest, first; with `FILE_ORDER` in another
 * order for each of its values. @throws Error when a listed file is missing.
 */
export default class WaitersFirst extends Sequencer {
  sort(tests) {
    const gone = FIRST.filter((name) => !existsSync(join(FOLDER, name)));
    if (gone.length > 0) throw new Error(`waiters-first.mjs names files that are gone: ${gone.join(', ')}`);
    const { FILE_ORDER } = process.env;
    if (FILE_ORDER) return tests.toSorted((one, other) => placeOf(one, FILE_ORDER).compare(placeOf(other, FILE_ORDER)));
    const isWaiter = ({ path }) => FIRST.includes(relative(FOLDER, path));
    const { waiters = [], others = [] } = Object.groupBy(super.sort(tests), (test) =>
      isWaiter(test) ? 'waiters' : 'others',
    );
    return [...waiters, ...others];
  }
}

function placeOf({ path }, order) {
  return createHash('sha256').update(order).update(relative(FOLDER, path)).digest();
}
