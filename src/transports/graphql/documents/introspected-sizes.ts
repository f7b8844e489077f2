import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** The average number of types behind `ofType`: few types are wrapped, and tools ask for up to nine levels of them. */
export const OF_TYPES = 0.5;

/** The length of an introspection list. */
export interface IntrospectedSize {
  /** On all types: tools request each list once. */
  mean: number;
  /** On the type where it is longest: a document may ask for that type over and over. */
  most: number;
}

const known = new WeakMap<GraphQLSchema, ReadonlyMap<string, IntrospectedSize>>();

/** How many items an introspection list returns; undefined for any other field. */
export function introspectedSize(schema: GraphQLSchema, field: string): IntrospectedSize | undefined {
  let sizes = known.get(schema);
  if (sizes === undefined) known.set(schema, (sizes = sizesOf(schema)));
  return sizes.get(field);
}

function sizesOf(schema: GraphQLSchema): ReadonlyMap<string, IntrospectedSize> {
  const types = Object.values(schema.getTypeMap());
  const lists: Record<string, (type: GraphQLNamedType) => number> = {
    fields: (type) => fieldsOf(type).length,
    inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
    enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
    interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
    possibleTypes: (type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
  };
  const sizes = Object.entries(lists).map(([name, lengthOf]): [string, IntrospectedSize] => {
    const lengths = types.map(lengthOf);
    return [name, { mean: sum(lengths) / types.length, most: Math.max(...lengths) }];
  });
  return new Map([...sizes, ['args', argsOf(types)], ...fixed(schema, types.length)]);
}

/** Those of a field: on the type whose fields have most of them together, so that the product is not too low. */
function argsOf(types: readonly GraphQLNamedType[]): IntrospectedSize {
  const counts = types.map((type) => fieldsOf(type).map(({ args }) => args.length));
  const most = counts.map((ofType) => (ofType.length === 0 ? 0 : sum(ofType) / ofType.length));
  return { mean: sum(counts.flat()) / counts.flat().length, most: Math.max(...most) };
}

function fixed(schema: GraphQLSchema, types: number): [string, IntrospectedSize][] {
  const directives = schema.getDirectives().length;
  return [
    ['types', { mean: types, most: types }],
    ['directives', { mean: directives, most: directives }],
  ];
}

function fieldsOf(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
