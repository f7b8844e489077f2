const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The order of two values: below 0, 0 or above 0; undefined if they have none. A text that is a JSON number is ordered
 * as that number, other texts by code units.
 */
export function orderOf(one: unknown, other: unknown): number | undefined {
  const [number, otherNumber] = [numberIn(one), numberIn(other)];
  if (number !== undefined && otherNumber !== undefined) return number - otherNumber;
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The number that a value is, or that its text spells. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && JSON_NUMBER.test(value) ? Number(value) : undefined;
}
