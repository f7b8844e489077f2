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
