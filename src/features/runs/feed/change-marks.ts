import { type Queryable } from '../../../platform/db/database.js';

const GAP_BITS = 16n;
const FAR = (1n << GAP_BITS) - 1n;

/** SQL: the marks of a run `r` after an update that raises its version to `version`, in the order of its changes. */
export function marksUpTo(version: string): string {
  // Marks that are not one per change are of a run that was created or changed without them: they stay as they are.
  return `CASE WHEN cardinality(r.change_marks) = r.version
    THEN r.change_marks || array_fill(change_mark(), ARRAY[${version} - r.version]) ELSE r.change_marks END`;
}

/** The transaction of a change, from its mark (see the SQL function `change_mark`). */
export function transactionOf(mark: string): bigint {
  return BigInt(mark) >> GAP_BITS;
}

/** All transactions below this one had ended before the change; 0 if that is unknown. */
export function horizonOf(mark: string): bigint {
  const gap = BigInt(mark) & FAR;
  return gap === FAR ? 0n : transactionOf(mark) - gap;
}

/** Which transactions had committed at one moment (PostgreSQL's `pg_snapshot`). */
export class Snapshot {
  private constructor(
    /** All transactions below this one had ended. */
    readonly horizon: bigint,
    /** This transaction and those above it had not begun. */
    private readonly end: bigint,
    private readonly open: ReadonlySet<string>,
  ) {}

  static async take(on: Pick<Queryable, 'query'>): Promise<Snapshot> {
    const [row] = await on.query<{ snapshot: string }>(`SELECT pg_current_snapshot()::text AS snapshot`);
    const [from, to, open] = row!.snapshot.split(':');
    return new Snapshot(BigInt(from!), BigInt(to!), new Set(open!.split(',')));
  }

  /** Whether the change with this mark had been committed. Changes without a mark are taken for old ones. */
  sees(mark: string | undefined): boolean {
    if (mark === undefined) return true;
    const transaction = transactionOf(mark);
    return transaction < this.horizon || (transaction < this.end && !this.open.has(transaction.toString()));
  }
}
