import { type FieldNode, type GraphQLField, Kind } from 'graphql';
import { type FieldCost, type GivenArguments } from '../../../platform/graphql/field-cost.js';
import { type Amount, type Variables } from './amount.js';
import { literal } from './page-sizes.js';

type Definition = GraphQLField<unknown, unknown> | undefined;

const FREE: FieldCost = {};

/** The cost that a field declares. */
export function costOf(definition: Definition): FieldCost {
  return (definition?.extensions?.cost as FieldCost | undefined) ?? FREE;
}

/** Reads the arguments of a field from a request's variables. */
export function argumentsOf(field: FieldNode, definition: Definition): (variables: Variables) => GivenArguments {
  return (variables) => {
    const given: Record<string, unknown> = {};
    for (const { name, defaultValue } of definition?.args ?? []) {
      const value = field.arguments?.find((argument) => argument.name.value === name)?.value;
      const isOf = value?.kind === Kind.VARIABLE;
      const found = isOf ? ownOf(variables, value.name.value) : value && literal(value);
      given[name] = found === undefined ? defaultValue : found;
    }
    return given;
  };
}

/** A declared number as an amount; undefined where none is declared. */
export function declared(
  cost: FieldCost['items'],
  given: (variables: Variables) => GivenArguments,
): Amount | undefined {
  return typeof cost === 'function' ? (variables) => cost(given(variables)) : cost;
}

function ownOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
