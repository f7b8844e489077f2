/** Divides a list into those that hold and those that don't, each in its order. */
export function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(all, holds);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
