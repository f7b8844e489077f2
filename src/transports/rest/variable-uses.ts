import {
  type DocumentNode,
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Where a document uses a variable: an argument of a field, or a field of an input. */
export type Place = { parentType: string; field: string; argument: string } | { input: string; field: string };

/** A variable's use, with the schema's type and description at that place. */
export interface VariableUse {
  place: Place;
  description: string | null | undefined;
  default: unknown;
}

/** The uses of each variable of a document. */
export function variableUses(schema: GraphQLSchema, document: DocumentNode): Map<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  const typeInfo = new TypeInfo(schema);
  const note = (value: ValueNode, use: () => VariableUse): void => {
    if (value.kind === Kind.VARIABLE) uses.set(value.name.value, use());
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ name, value }) =>
        note(value, () => {
          const { description, defaultValue } = typeInfo.getArgument()!;
          const [parentType, field] = [typeInfo.getParentType()!.name, typeInfo.getFieldDef()!.name];
          return { place: { parentType, field, argument: name.value }, description, default: defaultValue };
        }),
      ObjectField: ({ name, value }) =>
        note(value, () => {
          const input = getNamedType(typeInfo.getParentInputType()) as GraphQLInputObjectType;
          const { description, defaultValue } = input.getFields()[name.value]!;
          return { place: { input: input.name, field: name.value }, description, default: defaultValue };
        }),
    }),
  );
  return uses;
}
