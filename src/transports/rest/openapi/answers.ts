import {
  type FieldNode,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { LIST_KEY, type Operation } from '../documents.js';
import { omittingDirectives } from '../omission.js';
import { isHeader } from '../shape.js';
import { type Components } from './components.js';
import { type ExampleObject } from './examples.js';
import { described, type JsonSchema, orNull } from './json-schema.js';
import { type ResponseExamples } from './response-examples.js';
import { scalarAnswer } from './scalars.js';
import { type Rephrase } from './words.js';

interface Property {
  key: string;
  schema: JsonSchema;
  required: boolean;
}

/** The schema of a response body, with an example. */
export interface AnswerBody {
  schema: JsonSchema;
  example: unknown;
}

/** Schemas of response bodies, derived from the selections of the documents. */
export class Answers {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly components: Components,
    private readonly rephrase: Rephrase,
    private readonly examples: ResponseExamples,
  ) {}

  /** The body of each successful status; undefined where it has none. `changes`: see `ResponseExamples`. */
  of({ route, rootField, document }: Operation, changes: ExampleObject): Map<number, AnswerBody | undefined> {
    const definition = document.definitions[0]!;
    if (definition.kind !== Kind.OPERATION_DEFINITION) throw new Error('A document must contain one operation.');
    const root = this.schema.getRootType(definition.operation)!;
    const { field, parent } =
      route.below === undefined ? { field: rootField, parent: root } : this.below(root, rootField, route.below);
    const type = this.typeOf(parent, field);
    if (typeof route.status !== 'number') {
      const members = Object.entries(route.status);
      return new Map(
        members.map(([name, status]) => {
          const member = this.schema.getType(name) as GraphQLObjectType;
          const example = this.examples.object(member, field.selectionSet?.selections ?? [], changes);
          return [status, { schema: this.member(name, field), example }];
        }),
      );
    }
    if (route.status === 204) return new Map([[204, undefined]]);
    const body = { schema: this.nonNull(type, field), example: this.examples.of(type, field, changes) };
    return new Map([[route.status, isListType(type) ? inObject(body) : body]]);
  }

  private below(
    root: GraphQLObjectType,
    rootField: FieldNode,
    key: string,
  ): { field: FieldNode; parent: GraphQLObjectType } {
    const field = (rootField.selectionSet?.selections ?? []).find(
      (selection): selection is FieldNode => selection.kind === Kind.FIELD && keyOf(selection) === key,
    );
    const parent = this.typeOf(root, rootField);
    if (field === undefined || !isObjectType(parent))
      throw new Error(`${rootField.name.value} selects no field "${key}".`);
    return { field, parent };
  }

  /** The type without null: a root field that is null has an error, which has another status. */
  private typeOf(parent: GraphQLObjectType, field: FieldNode): GraphQLOutputType {
    return getNullableType(parent.getFields()[field.name.value]!.type);
  }

  private value(type: GraphQLOutputType, field: FieldNode): JsonSchema {
    return isNonNullType(type) ? this.nonNull(type.ofType, field) : orNull(this.nonNull(type, field));
  }

  private nonNull(type: GraphQLOutputType, field: FieldNode): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.value(type.ofType as GraphQLOutputType, field) };
    if (isEnumType(type)) return this.components.enumOf(type);
    if (isUnionType(type)) return { oneOf: type.getTypes().map(({ name }) => this.member(name, field)) };
    if (isObjectType(type)) return this.object(type, field.selectionSet?.selections ?? []);
    return scalarAnswer(type);
  }

  private member(typeName: string, field: FieldNode): JsonSchema {
    return this.object(this.schema.getType(typeName) as GraphQLObjectType, field.selectionSet?.selections ?? []);
  }

  private object(type: GraphQLObjectType, selections: readonly SelectionNode[]): JsonSchema {
    const properties = this.properties(type, selections);
    const schema = {
      type: 'object',
      properties: Object.fromEntries(properties.map(({ key, schema }) => [key, schema])),
      required: properties.filter(({ required }) => required).map(({ key }) => key),
    };
    return this.components.selection(type.name, described(schema, this.rephrase(type.description)));
  }

  private properties(type: GraphQLObjectType, selections: readonly SelectionNode[]): Property[] {
    return selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD)
        return keyOf(selection).startsWith('__') || isHeader(selection) ? [] : this.property(type, selection);
      if (selection.kind === Kind.FRAGMENT_SPREAD || selection.typeCondition?.name.value !== type.name) return [];
      return this.properties(type, selection.selectionSet.selections);
    });
  }

  /** A key that is omitted when null, empty or false never has that value when present. */
  private property(parent: GraphQLObjectType, field: FieldNode): Property {
    const { type, description } = parent.getFields()[field.name.value]!;
    const omitting = omittingDirectives(field);
    const nonNull = isNonNullType(type) ? type.ofType : type;
    const isFilled = omitting.some((name) => name.startsWith('omitIf'));
    const schema = isFilled ? this.nonNull(nonNull, field) : this.value(type, field);
    const filled = {
      ...schema,
      ...(omitting.includes('omitIfEmpty') && { minItems: 1 }),
      ...(omitting.includes('omitIfFalse') && { const: true }),
    };
    const required = omitting.length === 0;
    return { key: keyOf(field), schema: described(filled, this.rephrase(description)), required };
  }
}

function keyOf(field: FieldNode): string {
  return (field.alias ?? field.name).value;
}

/** The body of a route whose root field is a list. */
function inObject({ schema, example }: AnswerBody): AnswerBody {
  return {
    schema: { type: 'object', properties: { [LIST_KEY]: schema }, required: [LIST_KEY] },
    example: { [LIST_KEY]: example },
  };
}
