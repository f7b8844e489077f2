import { workForCallers } from '../../platform/admission/work.js';
import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';

/** How long a count is used, in milliseconds. */
const KNOWN_MS = 60_000;

/** Knows whether there is more than one account. */
export class SeveralAccounts {
  private counted: Promise<boolean> | undefined;
  private countedAt = -Infinity;
  private last = false;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Counts at most once a minute. Without a database the last count holds: nothing can be stored then anyway. */
  areSeveral(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (this.counted === undefined || Math.abs(now - this.countedAt) >= KNOWN_MS) {
      this.countedAt = now;
      this.counted = this.count();
    }
    return this.counted;
  }

  /** Not in the name of an account: a full account may keep all its connections busy. */
  private async count(): Promise<boolean> {
    const query = 'SELECT 1 AS one FROM accounts LIMIT 2';
    try {
      const rows = await workForCallers(() => this.db.outsideUnitOfWork(() => this.db.query(query)));
      this.last = rows.length > 1;
    } catch {
      this.counted = undefined;
    }
    return this.last;
  }
}
