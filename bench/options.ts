import { parseArgs } from 'node:util';
import { CAPACITY_PACE, type CapacityPace } from './capacity/measure.js';
import { NEIGHBOURS_PACE, type NeighboursPace } from './neighbours/measure.js';
import { type Pace } from './rounds.js';
import { RUNS_PACE, type RunsPace } from './runs/measure.js';
import { type Crowd } from './scenarios/subscribers.js';

/** The options of `npm run bench`. */
export interface Options {
  pace: Pace;
  crowd: Crowd;
  runs: RunsPace;
  neighbours: NeighboursPace;
  capacity: CapacityPace;
  /** Substrings of the names of selected attacks; all of them if it is empty. */
  attacks: readonly string[];
  /** Names of selected scenarios, or `event-log`, `subscribers`, `traces`, `runs`, `neighbours` and `capacity`; undefined for all except the last two. */
  only: ReadonlySet<string> | undefined;
  /** Whether the table is also written to its document. */
  write: boolean;
  /** The folder for profiles; with it nothing is measured. */
  profile: string | undefined;
  /** The `dist` of another build, which replaces the limit server. */
  against: string | undefined;
}

/**
 * Parses the options. A run takes about three minutes with `--quick`, else under ten. @throws TypeError for an unknown
 * option.
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      write: { type: 'boolean' },
      profile: { type: 'string' },
      against: { type: 'string' },
      attack: { type: 'string', multiple: true },
    },
  });
  return {
    pace: values.quick
      ? { warmUp: 2_500, rounds: 7, milliseconds: 500 }
      : { warmUp: 4_000, rounds: 9, milliseconds: 1_500 },
    crowd: values.quick ? { size: 2_000, events: 5 } : { size: 10_000, events: 15 },
    runs: values.quick ? RUNS_PACE.quick : RUNS_PACE.full,
    neighbours: values.quick ? NEIGHBOURS_PACE.quick : NEIGHBOURS_PACE.full,
    capacity: values.quick ? CAPACITY_PACE.quick : CAPACITY_PACE.full,
    attacks: values.attack ?? [],
    only: values.only === undefined ? undefined : new Set(values.only.split(',')),
    write: values.write ?? false,
    profile: values.profile,
    against: values.against,
  };
}
