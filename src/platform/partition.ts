/** Splits a list into the items that satisfy `holds` and the rest, each in order. */
export function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(all, holds);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
