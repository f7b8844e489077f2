import {
  type FieldNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { type Omission, omissionOf } from './omission.js';

/** Converts the value of one field to its JSON form. */
export type Shape = (value: unknown) => unknown;

interface Member {
  key: string;
  shape: Shape | undefined;
  omits: Omission | undefined;
}

/**
 * Compiles the conversion of a result to REST's JSON: enums become their internal (lower-case) words, keys are omitted
 * where a directive says so, `__typename` is dropped. All other names are the document's aliases.
 */
export function compileShape(schema: GraphQLSchema, parent: GraphQLNamedType, field: FieldNode): Shape {
  return compileField(schema, parent, field) ?? ((value) => value);
}

/** Undefined when the value needs no conversion. */
function compileField(schema: GraphQLSchema, parent: GraphQLNamedType, field: FieldNode): Shape | undefined {
  const definition = isObjectType(parent) ? parent.getFields()[field.name.value] : undefined;
  if (definition === undefined) return undefined;
  const type = getNamedType(definition.type);
  if (isEnumType(type)) {
    const words = new Map<unknown, unknown>(type.getValues().map(({ name, value }) => [name, value]));
    return mapped((value) => words.get(value));
  }
  if (isObjectType(type)) return mapped(compileObject(schema, type, field.selectionSet?.selections ?? []));
  if (isUnionType(type)) {
    const shapes = new Map(
      type
        .getTypes()
        .map((member) => [member.name, compileObject(schema, member, field.selectionSet?.selections ?? [])]),
    );
    return mapped((value) => shapes.get((value as { __typename: string }).__typename)!(value));
  }
  return undefined;
}

function compileObject(schema: GraphQLSchema, type: GraphQLNamedType, selections: readonly SelectionNode[]): Shape {
  const members = membersOf(schema, type, selections);
  return (value) => {
    const source = value as Record<string, unknown>;
    const target: Record<string, unknown> = {};
    for (const { key, shape, omits } of members) {
      const inner = source[key];
      if (omits?.(inner, target)) continue;
      target[key] = shape === undefined ? inner : shape(inner);
    }
    return target;
  };
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType, selections: readonly SelectionNode[]): Member[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      if (key.startsWith('__') || isHeader(selection)) return [];
      return { key, shape: compileField(schema, type, selection), omits: omissionOf(selection) };
    }
    if (selection.kind !== Kind.INLINE_FRAGMENT) throw new Error('REST documents use no named fragments.');
    return selection.typeCondition?.name.value === type.name
      ? membersOf(schema, type, selection.selectionSet.selections)
      : [];
  });
}

/** The directives of fields that make a header of the response and are not part of its body. */
export const HEADER_DIRECTIVES = ['etag', 'monitor'] as const;

/** Which header a field makes; undefined for a field of the body. */
export function headerOf(selection: SelectionNode): (typeof HEADER_DIRECTIVES)[number] | undefined {
  return HEADER_DIRECTIVES.find((directive) => selection.directives?.some(({ name }) => name.value === directive));
}

/** Whether a field makes a header and is not part of the body. */
export function isHeader(selection: SelectionNode): boolean {
  return headerOf(selection) !== undefined;
}

function mapped(shape: Shape): Shape {
  return function apply(value: unknown): unknown {
    if (value === null || value === undefined) return null;
    return Array.isArray(value) ? value.map(apply) : shape(value);
  };
}
