import { JsonText } from './json-text.js';

/**
 * Characters that the JSON of a value has at least, known without writing it: what is escaped has more. Counting stops
 * beyond `limit`, so that it costs no more than writing so much.
 */
export function jsonSize(value: unknown, limit = Infinity): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof JsonText) return value.length;
  let size = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += jsonSize(item, limit - size) + 1;
      if (size > limit) return size;
    }
  } else {
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (inner !== undefined) size += key.length + jsonSize(inner, limit - size) + 4;
      if (size > limit) return size;
    }
  }
  return Math.max(2, size);
}

/** A large value, and where it stands in another. */
export interface Place {
  path: readonly (string | number)[];
  size: number;
}

/** The texts of JSON in a value, wherever they stand, the largest first. */
export function jsonTexts(value: unknown, path: readonly (string | number)[] = []): Place[] {
  if (value instanceof JsonText) return [{ path, size: value.length }];
  if (typeof value !== 'object' || value === null) return [];
  const places = Array.isArray(value)
    ? value.flatMap((item: unknown, index) => jsonTexts(item, [...path, index]))
    : Object.entries(value).flatMap(([key, inner]) => jsonTexts(inner, [...path, key]));
  return path.length === 0 ? places.sort((a, b) => b.size - a.size) : places;
}

/** The names of the fields that hold most of a value, the largest first; as much of it is looked at as `limit` says. */
export function largestKeys(value: unknown, limit: number): string[] {
  const sizes = new Map<string, number>();
  let seen = 0;
  const walk = (inner: unknown, name: string): void => {
    if (seen > limit) return;
    if (typeof inner !== 'object' || inner === null || inner instanceof JsonText) {
      const size = name.length + jsonSize(inner);
      seen += size;
      sizes.set(name, (sizes.get(name) ?? 0) + size);
    } else if (Array.isArray(inner)) inner.forEach((item) => walk(item, name));
    else for (const [key, field] of Object.entries(inner)) walk(field, key);
  };
  walk(value, '');
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name]) => (name.length > 64 ? `${name.slice(0, 64)}…` : name))
    .filter((name) => name !== '');
}
