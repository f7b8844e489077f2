import { type Clock } from '../../src/clock.js';
import { type Database } from '../../src/db/database.js';

/** The one clock, moved at will: code's and SQL's together. Real time goes on beneath. */
export class TestClock implements Clock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** Moves this clock and `clock_now()` of the database by so many milliseconds. */
  async advance(db: Database, milliseconds: number): Promise<void> {
    this.offsetMs += milliseconds;
    await db.source.query(
      `CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE
       AS $$SELECT now() + interval '${this.offsetMs} ms'$$`,
    );
  }
}
