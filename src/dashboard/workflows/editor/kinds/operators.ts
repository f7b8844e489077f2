/** How a condition compares, by the service's word. */
export const OPERATORS: readonly { value: string; label: string; compares: boolean }[] = [
  { value: 'equals', label: 'equals', compares: true },
  { value: 'not_equals', label: 'does not equal', compares: true },
  { value: 'contains', label: 'contains', compares: true },
  { value: 'exists', label: 'exists', compares: false },
  { value: 'not_exists', label: 'does not exist', compares: false },
  { value: 'greater_than', label: 'is greater than', compares: true },
  { value: 'less_than', label: 'is less than', compares: true },
];

/** True when the operator looks at a value. */
export function compares(operator: string | undefined): boolean {
  return OPERATORS.find(({ value }) => value === operator)?.compares ?? true;
}

/** The type that a compared value has. */
export type ValueAs = 'text' | 'number' | 'boolean' | 'json';
