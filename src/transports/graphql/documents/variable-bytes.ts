import { type ASTNode, type FieldNode, Kind, visit } from 'graphql';
import { type Amount } from './amount.js';

/** The JSON length of each large value of a request. */
const sizes = new WeakMap<object, number>();

/**
 * The bytes of the variables in a field's arguments, counted for each use: inside a JSON literal every use of a
 * variable becomes a copy of its value.
 */
export function variableBytes({ arguments: given = [], directives = [] }: FieldNode): Amount {
  const names = [...given, ...directives].flatMap(namesIn);
  if (names.length === 0) return 0;
  return (variables) =>
    names.reduce((sum, name) => sum + (Object.hasOwn(variables, name) ? sizeOf(variables[name]) : 0), 0);
}

function namesIn(node: ASTNode): string[] {
  const names: string[] = [];
  visit(node, { [Kind.VARIABLE]: ({ name }) => void names.push(name.value) });
  return names;
}

/** The JSON length of a value of a request. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let size = sizes.get(value);
  if (size === undefined) {
    size = JSON.stringify(value).length;
    sizes.set(value, size);
  }
  return size;
}
