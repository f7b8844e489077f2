/** What was computed from a row, and the values that it was computed from. */
interface Computed {
  from: readonly unknown[];
  value: unknown;
}

const computed = new WeakMap<object, Map<string, Computed>>();

/**
 * A value that is computed once for a row, however often a document selects it, and again when one of the values `from`
 * is another one. `name`: unique for the row.
 */
export function once<T>(row: object, name: string, from: readonly unknown[], compute: () => T): T {
  const ofRow = computed.get(row) ?? new Map<string, Computed>();
  computed.set(row, ofRow);
  const known = ofRow.get(name);
  if (known?.from.every((value, index) => value === from[index])) return known.value as T;
  const value = compute();
  ofRow.set(name, { from, value });
  return value;
}
