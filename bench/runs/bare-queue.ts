// A process with only pg-boss: the upper bound of a worker on it.
import { PgBoss } from 'pg-boss';
import { answerQuestions } from '../answering.js';
import { type Backlog } from './backlog.js';

const QUEUE = 'bare';
const INSERTED_AT_ONCE = 5_000;

const boss = new PgBoss({ connectionString: process.env.DATABASE_URL!, schema: 'bare', max: 4, schedule: false });
boss.on('error', (error: unknown) => process.stderr.write(`${String(error)}\n`));
const started = boss.start().then(() => boss.createQueue(QUEUE, { partition: true }));

answerQuestions({
  /** Queues jobs of the service's size, in turns of their groups. */
  fill: async ({ jobs, groups }: Backlog): Promise<void> => {
    await started;
    for (let first = 0; first < jobs; first += INSERTED_AT_ONCE) {
      const inserts = Array.from({ length: Math.min(INSERTED_AT_ONCE, jobs - first) }, (_, index) => ({
        data: { run: '01932f5e-7a4c-7000-8000-000000000000' },
        group: { id: String((first + index) % groups) },
      }));
      await boss.insert(QUEUE, inserts);
    }
  },
  /** Processes all jobs with a handler that does nothing. @returns seconds from the first to the last. */
  drain: async (jobs: number): Promise<number> => {
    const done = Promise.withResolvers<void>();
    let [left, first] = [jobs, 0];
    // The batch size of the service's worker.
    const options = { batchSize: 100, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
    await boss.work(QUEUE, options, async (batch) => {
      first ||= performance.now();
      left -= batch.length;
      if (left <= 0) done.resolve();
    });
    await done.promise;
    const seconds = (performance.now() - first) / 1_000;
    await boss.offWork(QUEUE, { wait: true });
    return seconds;
  },
});

process.once('SIGTERM', () => process.exit(0));
