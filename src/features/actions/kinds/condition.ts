import { anything, oneOf, text, that } from '../config-checks.js';
import { containsText } from '../comparisons/contains-text.js';
import { type CheckScope, defineAction } from '../define-action.js';
import { type ErrorDetail } from '../../../platform/errors.js';
import { equalTo } from '../comparisons/equal-json.js';
import { excerptOf, MAX_EXCERPT } from '../comparisons/excerpt.js';
import { noteOf } from '../comparisons/note.js';
import { orderOf } from '../comparisons/order.js';
import { parsePath, PathError, unknownName } from '../placeholders/path.js';

const WITHOUT_VALUE = ['exists', 'not_exists'];
const ORDERING = ['greater_than', 'less_than'];
/** The maximum length, in characters, of a text that `contains` searches for. */
export const MAX_WANTED_CHARACTERS = 1_000;

/** The meaning of each operator, for the documents. */
export const OPERATORS = {
  equals: 'Both are the same JSON value of the same type; the order of an object’s keys does not matter.',
  not_equals: 'The values differ, or there is no value at the path.',
  contains: 'A string contains the string `value`; a list has an item equal to `value`; an object has a key `value`.',
  exists: 'There is a value at the path, possibly null.',
  not_exists: 'There is no value at the path.',
  greater_than:
    'The tested value is greater. A string that is a JSON number is compared as that number; other strings by code units, which orders ISO times. Other types, and a number with any other string, are not compared: it is false, and the `note` of the output says so.',
  less_than: 'Likewise, and the tested one is less.',
} as const;

type Operator = keyof typeof OPERATORS;

/** `{ path, operator, value }`: ends the run as succeeded if the condition is false. */
export const condition = defineAction({
  kind: 'condition',
  description: 'Ends the run as succeeded if the condition is false.',
  isAtOnce: true,
  keys: {
    path: {
      required: true,
      about: 'The tested value: a dotted path without braces, such as `trigger.body.order.total`.',
      schema: { type: 'string', examples: ['trigger.body.order.total'] },
      check: (value, field, { earlier }) => that((path) => pathFault(path, earlier))(value, field),
    },
    operator: {
      required: true,
      about: `One of ${Object.keys(OPERATORS)
        .map((word) => `\`${word}\``)
        .join(', ')}.`,
      schema: { type: 'string', enum: Object.keys(OPERATORS) },
      check: that(oneOf(Object.keys(OPERATORS))),
    },
    value: {
      required: false,
      about: `The value to compare with. Required by every operator except \`exists\` and \`not_exists\`, with which it has no effect; a number or a text for \`greater_than\` and \`less_than\`; for \`contains\` a text has at most ${MAX_WANTED_CHARACTERS.toLocaleString('en')} characters.`,
      schema: {},
      neededBy: ({ operator }) => !WITHOUT_VALUE.includes(operator as string),
      check: valueFaults,
    },
  },
  output: `\`{ "holds", "found", "expected", "note" }\`. \`holds\` is true or false, \`found\` the value at the path, \`expected\` the \`value\`; they are absent if there is none. Of more than ${MAX_EXCERPT.toLocaleString('en')} characters, the beginning is kept as a string, and \`truncated\` is true. \`note\` is a sentence, present if the values cannot be compared.`,
  reads: ({ path }) => [parsePath(path as string)],
  execute: ({ path, operator, value }, _work, scope) => {
    const found = scope(parsePath(path as string));
    const holds = TESTS[operator as Operator](found, value);
    const expected = WITHOUT_VALUE.includes(operator as string) ? undefined : value;
    const output = { holds, ...comparison(found, expected), note: noteOf(operator as string, found, expected) };
    return { kind: holds ? 'succeeded' : 'stop', output };
  },
});

/** Both values, cut for the output. */
function comparison(found: unknown, expected: unknown): object {
  const [one, other] = [excerptOf(found), excerptOf(expected)];
  const truncated = one.truncated || other.truncated;
  return { found: one.value, expected: other.value, ...(truncated && { truncated }) };
}

const NONE = new Map<string, never>();

/** A path without a value gives undefined: it equals nothing, contains nothing, and is neither greater nor less. */
const TESTS: Record<Operator, (found: unknown, value: unknown) => boolean> = {
  equals: (found, value) => found !== undefined && equalTo(value)(found),
  not_equals: (found, value) => !equalTo(value)(found),
  contains,
  exists: (found) => found !== undefined,
  not_exists: (found) => found === undefined,
  greater_than: (found, value) => (orderOf(found, value) ?? 0) > 0,
  less_than: (found, value) => (orderOf(found, value) ?? 0) < 0,
};

/** True for a substring of a text, an equal item of a list, a key of an object. */
function contains(found: unknown, value: unknown): boolean {
  if (typeof found === 'string') return typeof value === 'string' && containsText(found, value);
  if (Array.isArray(found)) return found.some(equalTo(value));
  return typeof found === 'object' && found !== null && typeof value === 'string' && Object.hasOwn(found, value);
}

function pathFault(value: unknown, earlier: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (/[{}]/.test(value)) return 'must be a dotted path without braces';
  try {
    const path = parsePath(value);
    return path[0] === 'waits' ? 'must begin with trigger, steps or run' : unknownName(path, { earlier, waits: NONE });
  } catch (error) {
    if (error instanceof PathError) return error.message;
    throw error;
  }
}

function valueFaults(value: unknown, field: string, { config: { operator } }: CheckScope): ErrorDetail[] {
  if (ORDERING.includes(operator as string)) return that(orderedFault)(value, field);
  return (operator === 'contains' ? wanted : anything)(value, field);
}

/** The value of a placeholder is checked when the step is executed. */
const wantedText = text({
  pieces: (piece) => (isLong(piece) ? `must have at most ${MAX_WANTED_CHARACTERS} characters` : undefined),
});

function wanted(value: unknown, field: string): ErrorDetail[] {
  return typeof value === 'string' ? wantedText(value, field) : [];
}

/** Counts characters only if needed: each is one or two code units. */
function isLong(piece: string): boolean {
  if (piece.length <= MAX_WANTED_CHARACTERS) return false;
  return piece.length > MAX_WANTED_CHARACTERS * 2 || Array.from(piece).length > MAX_WANTED_CHARACTERS;
}

function orderedFault(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? undefined : 'must be a number or a text';
}
