import { JsonText, NeededJson } from './json-text.js';

/**
 * A lower bound for the JSON length of a value, in characters, without serializing it: escapes add to it. Counting
 * stops beyond `limit`, so that it costs no more than serializing that much.
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

/** A `JsonText` that may be left out, inside another value: the object or list that contains it, and its path in the whole. */
export interface Place {
  text: JsonText;
  parent: Record<string | number, unknown>;
  path: readonly (string | number)[];
}

/** All `JsonText` values inside a value that may be left out, in one walk, which ends once it has found more than `most`. */
export function jsonTexts(value: unknown, most: number): Place[] {
  const places: Place[] = [];
  const path: (string | number)[] = [];
  const visit = (inner: unknown, key: string | number, parent: object): void => {
    if (places.length > most || inner instanceof NeededJson) return;
    path.push(key);
    if (inner instanceof JsonText) places.push({ text: inner, parent: parent as Place['parent'], path: [...path] });
    else walk(inner);
    path.pop();
  };
  const walk = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    if (Array.isArray(at)) at.forEach((item, index) => visit(item, index, at));
    else for (const key in at) visit((at as Place['parent'])[key], key, at);
  };
  walk(value);
  return places;
}

/** The names of the fields with the most data in a value, the largest first; about `limit` characters are examined. */
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
    else for (const [key, field] of Object.entries(inner)) if (field !== undefined) walk(field, key);
  };
  walk(value, '');
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name]) => (name.length > 64 ? `${name.slice(0, 64)}…` : name))
    .filter((name) => name !== '');
}
