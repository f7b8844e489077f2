import { jsonSize, jsonTexts } from '../../../platform/json/json-size.js';

/** The maximum size of one event, in bytes of its JSON. */
export const EVENT_BYTES = 1_048_576;

/** A result ready to be serialized. */
export interface Event {
  data?: unknown;
  errors?: unknown;
  extensions?: Record<string, unknown>;
}

/**
 * The JSON of an event. An event of more than 1 MB loses its large fields, the largest first: they become null, and
 * `extensions.omitted` names them. If that is not enough, `data` is null.
 */
export function eventText(event: Event): string {
  const whole = writtenWithin(event);
  if (whole !== undefined) return whole;
  const omitted: string[] = [];
  for (const { path } of jsonTexts(event.data)) {
    blank(event.data, path);
    omitted.push(path.join('.'));
    const text = writtenWithin({ ...event, extensions: { ...event.extensions, omitted } });
    if (text !== undefined) return text;
  }
  const fields = Object.keys(event.data ?? {});
  return JSON.stringify({ data: null, extensions: { omitted: fields } });
}

/** Undefined when it would be too long, which is mostly known before it is serialized. */
function writtenWithin(event: Event): string | undefined {
  if (jsonSize(event, EVENT_BYTES) > EVENT_BYTES) return undefined;
  const text = JSON.stringify(event);
  return Buffer.byteLength(text) > EVENT_BYTES ? undefined : text;
}

function blank(data: unknown, path: readonly (string | number)[]): void {
  const parent = path.slice(0, -1).reduce((at, key) => (at as Record<string | number, unknown>)[key], data);
  (parent as Record<string | number, unknown>)[path.at(-1)!] = null;
}
