import { lossInJson } from './json-losses.js';

/** The parsed JSON, or the reason why it is invalid. */
export type JsonText = { value: unknown; fault?: undefined } | { fault: string };

/** Parses JSON. A value that would change silently is a fault. */
export function readJson(text: string): JsonText {
  const read = parseJson(text);
  const loss = read.fault === undefined ? lossInJson(text) : undefined;
  return loss === undefined ? read : { fault: loss };
}

/** Parses JSON. The fault names the expected token and its position, with the same text in every browser. */
export function parseJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: jsonFault(text) };
  }
}

/** The input of a run as it is typed: an empty one is null. */
export function readInput(text: string): JsonText {
  return text.trim() === '' ? { value: null } : readJson(text);
}

/** Formatted with two spaces; an empty text for an absent value. */
export function writeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** The fault of an invalid JSON text and its position, counted from 1. */
export function jsonFault(text: string): string {
  if (text.trim() === '') return 'This is not valid JSON: it is empty.';
  const { at, expected } = endOfJson(text);
  const lines = text.slice(0, at).split('\n');
  const what = text[at] === '"' && VALUE_FIRST.has(expected) ? UNCLOSED : `expected ${EXPECTED[expected]}`;
  return `This is not valid JSON: ${what}, line ${lines.length}, column ${lines.at(-1)!.length + 1}.`;
}

/** The tokens that may come next (RFC 8259). */
const EXPECTED = {
  value: 'a value',
  item: 'a value or “]”',
  name: 'a name in double quotes',
  member: 'a name in double quotes or “}”',
  colon: '“:”',
  afterItem: '“,” or “]”',
  afterMember: '“,” or “}”',
  end: 'nothing more',
};
type Expected = keyof typeof EXPECTED;

const VALUE_FIRST: ReadonlySet<Expected> = new Set(['value', 'item', 'name', 'member']);
const UNCLOSED = 'the text that begins here is not closed, or has an invalid escape';

const TOKEN =
  // eslint-disable-next-line no-control-regex -- they must be escaped in JSON
  /[ \t\r\n]*(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y;

/** The position up to which a text is valid JSON, and the token expected there. */
function endOfJson(text: string): { at: number; expected: Expected } {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const [token, quoted, scalar, mark] = TOKEN.exec(text) ?? [];
    const next: Expected | undefined =
      token === undefined ? undefined : step(expected, quoted ?? scalar ?? mark!, open);
    if (next === undefined) return { at: at + /^[ \t\r\n]*/.exec(text.slice(at))![0].length, expected };
    expected = next;
    at += token!.length;
  }
}

/** The expectation after a token; undefined if the token itself was unexpected. */
function step(expected: Expected, token: string, open: string[]): Expected | undefined {
  const after = (): Expected => (open.length === 0 ? 'end' : open.at(-1) === '{' ? 'afterMember' : 'afterItem');
  const begins = expected === 'value' || expected === 'item';
  switch (token) {
    case '{':
    case '[':
      if (begins) open.push(token);
      return begins ? (token === '{' ? 'member' : 'item') : undefined;
    case '}':
    case ']':
      if (!(token === '}' ? ['member', 'afterMember'] : ['item', 'afterItem']).includes(expected)) return undefined;
      open.pop();
      return after();
    case ',':
      return expected === 'afterMember' ? 'name' : expected === 'afterItem' ? 'value' : undefined;
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (begins) return after();
      return token.startsWith('"') && (expected === 'name' || expected === 'member') ? 'colon' : undefined;
  }
}
