/** Creates of one account are counted in this many rows, so that they don't wait for each other. */
const SLOTS = 16;

/** The slot that a writer adds to. Which one doesn't matter: the total is the sum, and a slot may be negative. */
export function anySlot(): number {
  return Math.floor(Math.random() * SLOTS);
}

/** The statement `INSERT INTO workflow_totals … SELECT account_id, status, slot, total` adds, whatever `source` selects. */
export function addTotals(source: string): string {
  return `INSERT INTO workflow_totals AS t (account_id, status, slot, total) ${source}
          ON CONFLICT (account_id, status, slot) DO UPDATE SET total = t.total + excluded.total`;
}
