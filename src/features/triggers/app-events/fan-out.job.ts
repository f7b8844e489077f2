import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { eventFanOuts, type FanOutDependencies } from './fan-outs.js';

/** Creates the remaining runs of events that fire many triggers. Processes may run it concurrently. */
export function fanOutJob(deps: FanOutDependencies): PeriodicJob {
  const fanOuts = eventFanOuts(deps);
  return {
    name: 'fan events out',
    what: 'Fires the remaining triggers of an event that has more triggers than its request fires.',
    everyMs: 1_000,
    run: (signal) => fanOuts.run(signal),
  };
}
