import { orderOf } from './order.js';

/** Why the result of a comparison follows from the types of its values alone, as a sentence; else undefined. */
export function noteOf(operator: string, found: unknown, expected: unknown): string | undefined {
  if (expected === undefined) return undefined;
  if (found === undefined) return 'There is no value at the path.';
  const [one, other] = [typeOf(found), typeOf(expected)];
  if (operator === 'contains')
    return canContain(found, expected) ? undefined : `${capital(one)} never contains ${other}.`;
  if (operator.endsWith('equals')) return one === other ? undefined : `${capital(one)} never equals ${other}.`;
  if (orderOf(found, expected) !== undefined) return undefined;
  return `${capital(ofNoNumber(one, other))} cannot be compared with ${ofNoNumber(other, one)}.`;
}

function canContain(found: unknown, expected: unknown): boolean {
  if (Array.isArray(found)) return true;
  return typeof expected === 'string' && (typeof found === 'string' || (typeof found === 'object' && found !== null));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return TYPES[typeof value] ?? 'a boolean';
}

const TYPES: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', object: 'an object' };

/** Beside a number, a text would have been compared if it were one. */
function ofNoNumber(type: string, beside: string): string {
  return type === 'a text' && beside === 'a number' ? 'a text that is not a number' : type;
}

function capital(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1);
}
