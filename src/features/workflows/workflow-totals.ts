/** The total of an account is split over this many rows, so that concurrent creates don't wait for each other. */
const SLOTS = 16;

/** A random slot to add to. The total is the sum of all slots; a single slot may be negative. */
export function anySlot(): number {
  return Math.floor(Math.random() * SLOTS);
}

/** SQL that adds the rows of `source` (account_id, status, slot, total) to the totals. */
export function addTotals(source: string): string {
  return `INSERT INTO workflow_totals AS t (account_id, status, slot, total) ${source}
          ON CONFLICT (account_id, status, slot) DO UPDATE SET total = t.total + excluded.total`;
}
