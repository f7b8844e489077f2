import { type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';

/** Self-explanatory arguments: the id of the object of the field, and the input with its own type. */
const PLAIN = /^(id|input|\w+Id)$/;

/** The types, members and arguments of the schema without a description, e.g. `Workflow.name`. */
export function undescribed(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => [...(type.description ? [] : [type.name]), ...membersWithout(type)]);
}

function membersWithout(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return namesWithout(type.getValues(), type.name);
  if (isInputObjectType(type)) return namesWithout(Object.values(type.getFields()), type.name);
  if (!isObjectType(type)) return [];
  const fields = Object.values(type.getFields());
  const args = fields.flatMap((field) =>
    namesWithout(field.args, `${type.name}.${field.name}`).filter((name) => !PLAIN.test(name.split('.').at(-1)!)),
  );
  return [...namesWithout(fields, type.name), ...args];
}

function namesWithout(members: readonly { name: string; description?: string | null }[], owner: string): string[] {
  return members.filter(({ description }) => !description).map(({ name }) => `${owner}.${name}`);
}
