import { type Database } from '../../../platform/db/database.js';
import { MAX_WAITING } from './fan-outs.js';

/** The events of accounts that wait for their remaining runs, with those that are about to be stored. */
export interface WaitingClaim {
  /** Counts the next post's events of an account, if there is room for all of them. */
  takes(account: string, events: number): boolean;
  /** Ends the claim: the events are stored, or never will be. */
  end(): void;
}

/** Counts the waiting events of accounts, with those that this process is storing: groups are written concurrently. */
export class WaitingEvents {
  private readonly storing = new Map<string, number>();

  constructor(private readonly db: Database) {}

  /** Claims room for at most this many events of each account. */
  async claim(most: ReadonlyMap<string, number>): Promise<WaitingClaim> {
    // Before the database is asked: what another claim stores in between counts twice rather than not at all.
    const waiting = new Map([...most.keys()].map((account) => [account, this.storing.get(account) ?? 0]));
    most.forEach((events, account) => this.add(account, events));
    const end = () => most.forEach((events, account) => this.add(account, -events));
    try {
      for (const { account, events } of await this.stored([...most.keys()]))
        waiting.set(account, waiting.get(account)! + events);
    } catch (error) {
      end();
      throw error;
    }
    return {
      takes: (account, events) => {
        const before = waiting.get(account)!;
        if (before > 0 && before + events > MAX_WAITING) return false;
        waiting.set(account, before + events);
        return true;
      },
      end,
    };
  }

  private async stored(accounts: readonly string[]): Promise<{ account: string; events: number }[]> {
    if (accounts.length === 0) return [];
    return this.db.query(
      `SELECT account_id AS account, count(*)::integer AS events FROM event_fan_outs WHERE account_id = ANY($1)
       GROUP BY account_id`,
      [accounts],
    );
  }

  private add(account: string, events: number): void {
    const sum = (this.storing.get(account) ?? 0) + events;
    if (sum === 0) this.storing.delete(account);
    else this.storing.set(account, sum);
  }
}
