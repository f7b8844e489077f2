import { lossOfNumber } from '../../../ui/json/json-losses.js';
import { readJsonTemplate } from '../values/json-template.js';
import { ConditionFields } from './condition-fields.js';
import { type KindDefinition, textOf, type Written } from './define-kind.js';
import { compares, OPERATORS, valueAs, type ValueAs } from './operators.js';
import { IconFilter } from '../../../ui/icons/icons.js';

/** Continues the run only if a condition is true. */
export const condition: KindDefinition = {
  kind: 'CONDITION',
  label: 'Condition',
  icon: IconFilter,
  explains: 'Continues only if the condition is true; otherwise the run stops and counts as succeeded.',
  help: 'condition',
  name: 'condition',
  keys: ['path', 'operator', 'value'],
  read: ({ path, operator, value }) => ({
    texts: {
      path: textOf(path),
      operator: textOf(operator) || 'equals',
      value_as: typeAs(value),
      value: textOf(value),
    },
    rows: {},
  }),
  write: ({ texts }): Written => {
    const { path = '', operator = '', value = '' } = texts;
    const config = { path: path.trim(), operator };
    if (!compares(operator)) return { config, faults: {} };
    const read = typed(value, valueAs(texts));
    if (read.fault !== undefined) return { config, faults: { 'config.value': read.fault } };
    return { config: { ...config, value: read.value }, faults: {} };
  },
  summary: ({ texts }) => {
    const { path = '', operator = '', value = '' } = texts;
    if (path === '') return '';
    const words = `${path} ${OPERATORS.find((known) => known.value === operator)?.label ?? operator}`;
    if (!compares(operator)) return words;
    // So that the text “100” looks other than the number.
    return `${words} ${valueAs(texts) === 'text' && !value.includes('{{') ? `“${value}”` : value}`;
  },
  Fields: ConditionFields,
};

/** Empty for a value that is not there yet: its type follows from what is typed. */
function typeAs(value: unknown): ValueAs | '' {
  if (value === undefined) return '';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'json';
}

/** A number or JSON may also be one placeholder, which keeps the type of its value. */
function typed(text: string, as: ValueAs): { value: unknown; fault?: undefined } | { fault: string } {
  if (as === 'text') return { value: text };
  if (as === 'boolean') return { value: text === 'true' };
  if (as === 'json') return readJsonTemplate(text);
  if (text.includes('{{')) return { value: text.trim() };
  const number = Number(text);
  const loss = lossOfNumber(text.trim());
  if (loss === 'range') return { fault: 'is beyond the range of a number' };
  if (loss === 'rounded') return { fault: `would be rounded to ${number}` };
  return text.trim() !== '' && Number.isFinite(number)
    ? { value: number }
    : { fault: 'must be a number; for other values choose another type' };
}
