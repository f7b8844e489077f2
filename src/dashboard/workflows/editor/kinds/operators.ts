/** The operators of a condition, by the service's name. */
export const OPERATORS: readonly { value: string; label: string; compares: boolean }[] = [
  { value: 'equals', label: 'equals', compares: true },
  { value: 'not_equals', label: 'does not equal', compares: true },
  { value: 'contains', label: 'contains', compares: true },
  { value: 'exists', label: 'exists', compares: false },
  { value: 'not_exists', label: 'does not exist', compares: false },
  { value: 'greater_than', label: 'is greater than', compares: true },
  { value: 'less_than', label: 'is less than', compares: true },
];

/** Whether the operator needs a value. */
export function compares(operator: string | undefined): boolean {
  return OPERATORS.find(({ value }) => value === operator)?.compares ?? true;
}

/** The type that a compared value has. */
export type ValueAs = 'text' | 'number' | 'boolean' | 'json';

const ORDERING: readonly (string | undefined)[] = ['greater_than', 'less_than'];
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The type that the user has chosen; without a choice, a number where the operator orders or the value is one. */
export function valueAs({ operator, value = '', value_as: chosen = '' }: Readonly<Record<string, string>>): ValueAs {
  if (chosen !== '') return chosen as ValueAs;
  return ORDERING.includes(operator) || JSON_NUMBER.test(value.trim()) ? 'number' : 'text';
}
