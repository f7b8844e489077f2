// Loaded with `--import` into the two servers under test, without changes to them.
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerQuestions } from './answering.js';
import { type Delay, type Memory } from './readings.js';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const session = new Session();

answerQuestions({
  /** Microseconds of CPU, user and system, of all threads since the start. */
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: (): Memory => {
    collectGarbage();
    collectGarbage();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed + external };
  },
  delay: (): Delay => {
    const seen = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    delay.reset();
    return seen;
  },
  startProfile: async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  },
  stopProfile: async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
});
