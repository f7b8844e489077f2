import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { fireSchedulesJob } from '../../src/features/triggers/schedules/schedule.job.js';
import { type TriggerWorld } from '../support/worlds/trigger-world.js';

/** A run of a trigger, as far as schedules matter. */
export interface Fired {
  trigger: string;
  status: string;
  reason: string | null;
  input: unknown;
  scheduledFor: Date | null;
}

/** A scheduler as a process of its own has it: with connections of its own. */
export class Scheduler {
  readonly logs: string[] = [];
  /** How often it rested after a batch. */
  rests = 0;

  private constructor(
    readonly db: Database,
    private readonly world: TriggerWorld,
  ) {}

  static async open(world: TriggerWorld): Promise<Scheduler> {
    const source = createDataSource({ url: world.url, poolSize: 3 }, []);
    return new Scheduler(new Database(await source.initialize()), world);
  }

  close(): Promise<void> {
    return this.db.source.destroy();
  }

  /** One turn of the job, by the world's clock. */
  turn(db = this.db): Promise<void> {
    const logger = createLogger('debug', { write: (line: string) => void this.logs.push(line) });
    const rest = () => Promise.resolve(void (this.rests += 1));
    return fireSchedulesJob({ db, clock: this.world.clock, queue: this.world.queue, logger, rest }).run();
  }
}

/** All runs of schedules, oldest first. */
export function firedIn(db: Database): Promise<Fired[]> {
  return db.query(
    `SELECT trigger_id AS trigger, status, status_reason AS reason, input, scheduled_for AS "scheduledFor"
     FROM runs WHERE trigger_type = 'schedule' ORDER BY id`,
  );
}
