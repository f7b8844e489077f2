import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { omittingDirectives } from '../omission.js';
import { isHeader } from '../shape.js';
import { type ExampleObject } from './examples.js';

/** A list of one page with one item. */
const PAGE_META: ExampleObject = { total: 1, page: 1, per_page: 20 };

/** Example response bodies: what a document selects from the examples of its types. */
export class ResponseExamples {
  constructor(private readonly types: ReadonlyMap<string, ExampleObject>) {}

  /** The value of a field; `changes` are fields of its object that differ from the example of its type. */
  of(type: GraphQLOutputType, field: FieldNode, changes: ExampleObject = {}): unknown {
    const named = getNamedType(type);
    const object = isUnionType(named) ? named.getTypes()[0]! : named;
    if (!isObjectType(object)) throw new Error(`${named.name} is not an object type, so it has no example.`);
    const value = this.object(object, field.selectionSet?.selections ?? [], changes);
    return isListType(getNullableType(type)) ? [value] : value;
  }

  /** The same for an object type, e.g. one member of a union. */
  object(type: GraphQLObjectType, selections: readonly SelectionNode[], changes: ExampleObject = {}): ExampleObject {
    const source = { ...(type.name === 'PageMeta' ? PAGE_META : this.types.get(type.name)), ...changes };
    return Object.fromEntries(
      fieldsOf(type, selections).flatMap((field) => {
        const key = (field.alias ?? field.name).value;
        const value = key in source ? source[key] : this.nested(type, field, key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }

  /** An object or a list that the owner's example lacks; undefined where the key may be absent. */
  private nested(owner: GraphQLObjectType, field: FieldNode, key: string): unknown {
    const { type } = owner.getFields()[field.name.value]!;
    if (omittingDirectives(field).length > 0) return undefined;
    const named = getNamedType(type);
    if (isObjectType(named) || isUnionType(named)) return this.of(type, field);
    throw new Error(`The example of ${owner.name} has no "${key}".`);
  }
}

function fieldsOf(type: GraphQLObjectType, selections: readonly SelectionNode[]): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD)
      return selection.name.value === '__typename' || isHeader(selection) ? [] : selection;
    if (selection.kind === Kind.FRAGMENT_SPREAD || selection.typeCondition?.name.value !== type.name) return [];
    return fieldsOf(type, selection.selectionSet.selections);
  });
}
