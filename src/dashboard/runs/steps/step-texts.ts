/** The length from which a text has its own place. */
const LONG = 200;

/** An input or output of a step without its `texts`. */
export interface SplitValue {
  rest: unknown;
  texts: readonly (readonly [name: string, text: string])[];
}

/** Takes the texts that are unreadable as one escaped line of JSON out of an object: markup, several lines, long ones. */
export function splitTexts(value: unknown): SplitValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { rest: value, texts: [] };
  const entries = Object.entries(value);
  const texts = entries.filter((entry): entry is [string, string] => isReadAsText(entry[1]));
  const rest = Object.fromEntries(entries.filter(([, inner]) => !isReadAsText(inner)));
  return { rest: texts.length > 0 && Object.keys(rest).length === 0 ? undefined : rest, texts };
}

function isReadAsText(value: unknown): boolean {
  return typeof value === 'string' && (value.length > LONG || /\n|^\s*</.test(value));
}
