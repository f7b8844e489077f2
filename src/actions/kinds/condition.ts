import { anything, checkConfig, type Check, oneOf, that } from '../config-checks.js';
import { type Config, defineAction } from '../define-action.js';
import { parsePath, PathError, unknownStep } from '../path.js';

const OPERATORS = ['equals', 'not_equals', 'contains', 'exists', 'not_exists', 'greater_than', 'less_than'];
const WITHOUT_VALUE = ['exists', 'not_exists'];
const ORDERING = ['greater_than', 'less_than'];

/** `{ path, operator, value }`: ends the run as succeeded when it does not hold. */
export const condition = defineAction({
  kind: 'condition',
  description:
    'Ends the run as succeeded when it does not hold. Config: `path` (dotted, without braces), `operator`, and `value` unless the operator is `exists` or `not_exists`.',
  validate: (config, at, earlier) => {
    const path = that((value) => pathFault(value, earlier));
    return checkConfig(config, at, { required: { path, operator: that(oneOf(OPERATORS)), ...valueCheck(config) } });
  },
});

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
  return WITHOUT_VALUE.includes(operator as string) ? {} : { value: anything };
}

function orderedFault(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? undefined : 'must be a number or a text';
}
