import { type Clock } from '../../src/platform/clock.js';
import { type Database } from '../../src/platform/db/database.js';

/** The clock of code and SQL, which tests advance. Real time is added to it. */
export class TestClock implements Clock {
  protected offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** Advances this clock and the database's `clock_now()` by this many milliseconds. */
  async advance(db: Database, milliseconds: number): Promise<void> {
    this.offsetMs += milliseconds;
    await db.source.query(
      `CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$SELECT ${this.inSql()}$$`,
    );
  }

  protected inSql(): string {
    return `now() + interval '${this.offsetMs} ms'`;
  }
}

/**
 * Stands still until a test advances it, in code and in SQL, so that a busy machine changes nothing: for counts to the
 * second, and for buckets that real time would refill during the requests.
 */
export class StillClock extends TestClock {
  private readonly startedAt = Date.now();

  override now(): Date {
    return new Date(this.startedAt + this.offsetMs);
  }

  protected override inSql(): string {
    return `timestamptz '${this.now().toISOString()}'`;
  }
}

/** The clock of a process whose machine is ahead of the others by this many milliseconds. */
export class WrongClock extends TestClock {
  constructor(
    private readonly right: Clock,
    private readonly aheadMs: number,
  ) {
    super();
  }

  override now(): Date {
    return new Date(this.right.now().getTime() + this.aheadMs);
  }
}
