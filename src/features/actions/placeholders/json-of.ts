import { RenderError } from './render-error.js';

/** The JSON text of a value with too many members to parse it. Only a body that is all of it can pass it on. */
export class LargeJson {
  constructor(readonly text: string) {}

  /** @throws RenderError `too_large`: the value is inside of another, or is to be looked into. */
  toJSON(): never {
    throw tooManyMembers('A value of the step');
  }
}

/** The JSON texts of objects and lists that do not change, as long as those are in memory. */
const texts = new WeakMap<object, string>();

/** The JSON of a value that does not change. That of an object or a list is written once. */
export function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof LargeJson) return value.text;
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}

/** The error for a value that cannot be read. */
export function tooManyMembers(what: string): RenderError {
  return new RenderError(
    'too_large',
    `${what} has too many members: the value cannot be read, only be sent as a whole body.`,
  );
}
