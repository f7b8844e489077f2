const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** No object has a dictionary of its members before it has more of them. */
const FEW_MEMBERS = 100;
/** The fewest characters of a member: `"":1,`. */
const MEMBER_LENGTH = 5;

/**
 * True when the brackets and braces of a JSON text nest deeper than `levels`; `[]` and `{}` are one level each, scalars
 * none. Scans the raw text without recursion, so that it can run before JSON.parse; it does not check that the text is
 * JSON.
 */
export function exceedsDepth(text: string, levels: number): boolean {
  return isBeyond(text, levels, Infinity);
}

/** True when a JSON text has more objects and arrays than `most`. Parsed, each takes 20 times its bytes. */
export function exceedsContainers(text: string, most: number): boolean {
  return isBeyond(text, Infinity, most);
}

/**
 * True when a JSON text has more costly members than `most`: those with a name that the text has not had before, and those
 * beyond the first hundred of an object. V8 keeps them in dictionaries, and each takes microseconds whenever the object is
 * parsed, copied or written. Lists of records have few.
 */
export function exceedsMembers(text: string, most: number): boolean {
  if (text.length <= most * MEMBER_LENGTH) return false;
  const names = new Set<string>();
  const counts = [0];
  let [depth, costly, start, end] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      start = index + 1;
      index = end = endOfString(text, start);
    } else if (code === OPENING_BRACE) counts[(depth += 1)] = 0;
    else if (code === CLOSING_BRACE) depth -= 1;
    else if (code === COLON) {
      const known = names.size;
      if ((counts[depth]! += 1) > FEW_MEMBERS || names.add(text.slice(start, end)).size > known) costly += 1;
      if (costly > most) return true;
    }
  }
  return false;
}

/** True when a value of JSON.parse nests deeper than `levels`. */
export function isDeeper(value: unknown, levels: number): boolean {
  return depthOf(value, levels) > levels;
}

/** The nested levels of a parsed value, up to one more than `most`. */
export function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let below = 0;
  for (const inner of most > 0 ? Object.values(value) : []) {
    below = Math.max(below, depthOf(inner, most - 1));
    if (below >= most) break;
  }
  return below + 1;
}

function isBeyond(text: string, levels: number, containers: number): boolean {
  let depth = 0;
  let opened = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      opened += 1;
      if (depth > levels || opened > containers) return true;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
  }
  return false;
}

/** The end of the value that begins at a place of a valid JSON text. */
export function endOfValue(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === QUOTE) return endOfString(text, from + 1) + 1;
  if (code === OPENING_BRACKET || code === OPENING_BRACE) return endOfContainer(text, from + 1);
  let at = from;
  while (at < text.length && !isAfterScalar(text.charCodeAt(at))) at += 1;
  return at;
}

/** The end of the object or list that a place of a valid JSON text is in. */
export function endOfContainer(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return text.length;
}

/** Whether a character is a space of JSON: space, tab, line feed or carriage return. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isAfterScalar(code: number): boolean {
  return code === COMMA || code === CLOSING_BRACKET || code === CLOSING_BRACE || isSpace(code);
}

/** The place of the quote that ends a JSON string, or the end of the text. Searching is faster than looking at each character. */
export function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, from, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
}

/** Whether an odd number of backslashes stands before a quote of a string. */
function isEscaped(text: string, from: number, quote: number): boolean {
  let first = quote;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
