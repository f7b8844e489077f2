import { anything, checkConfig, type Check, oneOf, text, that } from '../config-checks.js';
import { containsText } from '../contains-text.js';
import { type Config, defineAction } from '../define-action.js';
import { type ErrorDetail } from '../../../platform/errors.js';
import { equalTo } from '../equal-json.js';
import { parsePath, PathError, unknownStep } from '../path.js';

const WITHOUT_VALUE = ['exists', 'not_exists'];
const ORDERING = ['greater_than', 'less_than'];
/** The maximum length, in characters, of a text that `contains` searches for. */
const MAX_WANTED_CHARACTERS = 1_000;

/** `{ path, operator, value }`: ends the run as succeeded if the condition is false. */
export const condition = defineAction({
  kind: 'condition',
  description:
    'Ends the run as succeeded if the condition is false. Config: `path` (dotted, without braces), `operator`, and `value` unless the operator is `exists` or `not_exists`. A text that `contains` searches for has at most 1,000 characters.',
  isAtOnce: true,
  validate: (config, at, earlier) => {
    const path = that((value) => pathFault(value, earlier));
    return checkConfig(config, at, {
      required: { path, operator: that(oneOf(Object.keys(TESTS))), ...valueCheck(config) },
    });
  },
  reads: ({ path }) => [parsePath(path as string)],
  execute: ({ path, operator, value }, _work, scope) => {
    const holds = TESTS[operator as Operator](scope(parsePath(path as string)), value);
    return { kind: holds ? 'succeeded' : 'stop', output: { holds } };
  },
});

type Operator = 'equals' | 'not_equals' | 'contains' | 'exists' | 'not_exists' | 'greater_than' | 'less_than';

/** A path without a value gives undefined: it equals nothing, contains nothing, and is neither greater nor less. */
const TESTS: Record<Operator, (found: unknown, value: unknown) => boolean> = {
  equals: (found, value) => found !== undefined && equalTo(value)(found),
  not_equals: (found, value) => !equalTo(value)(found),
  contains,
  exists: (found) => found !== undefined,
  not_exists: (found) => found === undefined,
  greater_than: (found, value) => isOrdered(found, value) && found > (value as typeof found),
  less_than: (found, value) => isOrdered(found, value) && found < (value as typeof found),
};

/** True for a substring of a text, an equal item of a list, a key of an object. */
function contains(found: unknown, value: unknown): boolean {
  if (typeof found === 'string') return typeof value === 'string' && containsText(found, value);
  if (Array.isArray(found)) return found.some(equalTo(value));
  return typeof found === 'object' && found !== null && typeof value === 'string' && Object.hasOwn(found, value);
}

/** True for two numbers or two texts. Texts are compared by code units. */
function isOrdered(found: unknown, value: unknown): found is number | string {
  return typeof found === typeof value && (typeof found === 'number' || typeof found === 'string');
}

function pathFault(value: unknown, earlier: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (/[{}]/.test(value)) return 'must be a dotted path without braces';
  try {
    return unknownStep(parsePath(value), earlier);
  } catch (error) {
    if (error instanceof PathError) return error.message;
    throw error;
  }
}

function valueCheck({ operator }: Config): Record<string, Check> {
  if (ORDERING.includes(operator as string)) return { value: that(orderedFault) };
  if (operator === 'contains') return { value: wanted };
  return WITHOUT_VALUE.includes(operator as string) ? {} : { value: anything };
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
