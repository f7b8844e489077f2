/** What newer JavaScript has, and the types of TypeScript lack: https://tc39.es/proposal-json-parse-with-source */
interface SourceJson {
  parse: (text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown) => unknown;
  rawJSON: (text: string) => unknown;
}

const { parse, rawJSON } = JSON as unknown as SourceJson;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Only a number with an exponent of three digits, or with as many digits itself, can exceed the range of a double. */
const MAY_BE_HUGE = /[eE]\+?0*[1-9]\d{2}|\d{100}/;
/** Up to 15 digits survive the conversion to a double and back, within its range. */
const MAY_BE_ROUNDED = /[\d.]{16}|[eE][+-]?0*[1-9]\d{2}/;

/** Exponents up to here are exact as a number. */
const MAX_EXPONENT_DIGITS = 15;

/**
 * The value of a JSON text. A number that a double rounds stays as it was written, in one spelling, as raw JSON: it is
 * good for `canonicalJson` only.
 */
export function parseExactly(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text) as unknown;
  return parse(text, (_, value, { source }) => {
    if (typeof value !== 'number') return value;
    const exact = inOneSpelling(source);
    return exact === inOneSpelling(String(value)) ? value : rawJSON(exact);
  });
}

/** The path of the first number beyond the range of a double, which JSON.parse makes infinite; undefined if there is none. */
export function hugeNumberIn(text: string, value: unknown): string | undefined {
  return MAY_BE_HUGE.test(text) ? infiniteIn(value, []) : undefined;
}

function infiniteIn(value: unknown, path: readonly string[]): string | undefined {
  if (value === Infinity || value === -Infinity) return path.join('.');
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = infiniteIn(inner, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A number as digits and exponent without zeros at either end, e.g. `-15e-1`; `Infinity` as it is, and so is a number with
 * an exponent of many digits: to compute with those takes longer than to read them.
 */
function inOneSpelling(source: string): string {
  const match = NUMBER.exec(source);
  if (match === null) return source;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  if (exponent.length > MAX_EXPONENT_DIGITS) return source;
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  // No pattern: it would begin again at each zero of a long number.
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(0, end);
  if (digits === '') return '0';
  return `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}
