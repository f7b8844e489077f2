import { jsonSize, jsonTexts, type Place } from '../../../platform/json/json-size.js';

/** The maximum size of one event, in bytes of its JSON. */
export const EVENT_BYTES = 1_048_576;

/** With more fields that are JSON a large event loses all of its data. */
export const MAX_JSON_FIELDS = 500;

/** A result ready to be serialized. */
export interface Event {
  data?: unknown;
  errors?: unknown;
  extensions?: Record<string, unknown>;
}

/**
 * The JSON of an event. An event of more than 1 MB loses its large fields, the largest first: they become null, and
 * `extensions.omitted` names them. If that is not enough, or they are too many, `data` is null. It is written three times
 * at most.
 */
export function eventText(event: Event): string {
  const whole = writtenWithin(event);
  if (whole !== undefined) return whole;
  const places = jsonTexts(event.data, MAX_JSON_FIELDS);
  if (places.length > MAX_JSON_FIELDS) return withoutData(event);
  const largest = places.map((place) => ({ ...place, bytes: place.text.bytes })).sort((a, b) => b.bytes - a.bytes);
  for (const { parent, path } of largest) parent[path.at(-1)!] = null;
  const bare = writtenWithin(without(largest, event));
  if (bare === undefined) return withoutData(event);
  let left = EVENT_BYTES - Buffer.byteLength(bare);
  while (largest.length > 0 && largest.at(-1)!.bytes <= left) {
    const { text, parent, path, bytes } = largest.pop()!;
    parent[path.at(-1)!] = text;
    left -= bytes;
  }
  // Written again, a text can be longer than it was: 1e20 is 100000000000000000000.
  return writtenWithin(without(largest, event)) ?? bare;
}

function withoutData({ data }: Event): string {
  return JSON.stringify({ data: null, extensions: { omitted: Object.keys(data ?? {}) } });
}

function without(places: readonly Place[], event: Event): Event {
  const omitted = places.map(({ path }) => path.join('.'));
  return { ...event, extensions: { ...event.extensions, omitted } };
}

/** Undefined when it would be too long, which is mostly known before it is serialized. */
function writtenWithin(event: Event): string | undefined {
  if (jsonSize(event, EVENT_BYTES) > EVENT_BYTES) return undefined;
  const text = JSON.stringify(event);
  return Buffer.byteLength(text) > EVENT_BYTES ? undefined : text;
}
