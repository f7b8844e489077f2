import { getMetadataStorage as getRules } from 'class-validator';
import { getMetadataStorage } from 'type-graphql';
import { type JsonSchema } from './json-schema.js';
import { type Place } from './variable-uses.js';

/** The validation rules of an input class, beyond its type. */
export interface Bounds {
  /** JSON Schema keywords: `minimum`, `maxLength`, … */
  keywords: JsonSchema;
  /** Whether an optional field also accepts an explicit null. */
  takesNull: boolean;
}

type Class = abstract new (...parameters: never[]) => unknown;

/** The rules at the place where a variable is used; empty where that place has no class. */
export function boundsAt(place: Place): Bounds {
  const property = 'input' in place ? place.field : place.argument;
  const target = 'input' in place ? inputClass(place.input) : argumentsClass(place.parentType, place.field);
  const rules =
    target === undefined
      ? []
      : getRules()
          .getTargetValidationMetadatas(target, '', true, false)
          .filter(({ propertyName }) => propertyName === property);
  const keywords = Object.assign(
    {},
    ...rules.map(({ name, constraints }) => keywordsOf(name, constraints)),
  ) as JsonSchema;
  // `@IsOptional` accepts null; other rules refuse it.
  const takesNull = rules.length === 0 || rules.some(({ name }) => name === 'isOptional');
  return { keywords, takesNull };
}

function keywordsOf(rule: string | undefined, constraints: readonly unknown[] | undefined): JsonSchema {
  const [first, second] = constraints ?? [];
  switch (rule) {
    case 'min':
      return { minimum: first };
    case 'max':
      return { maximum: first };
    case 'isText':
      // No upper bound is `Infinity`, which JSON would write as null.
      return { ...(first === 0 ? {} : { minLength: first }), ...(second === Infinity ? {} : { maxLength: second }) };
    case 'isIn':
      return { enum: first };
    default:
      return {};
  }
}

function inputClass(name: string): Class | undefined {
  return getMetadataStorage().inputTypes.find((input) => input.name === name)?.target as Class | undefined;
}

/** The class of `@Args()` of a resolver method. */
function argumentsClass(parentType: string, field: string): Class | undefined {
  const { queries, mutations, fieldResolvers, resolverClasses, objectTypes } = getMetadataStorage();
  const typeOf = (resolver: unknown): string | undefined => {
    const target = resolverClasses.find((one) => one.target === resolver)?.getObjectType();
    return objectTypes.find((type) => type.target === target)?.name;
  };
  const method =
    [...queries, ...mutations].find(
      ({ schemaName }) => schemaName === field && (parentType === 'Query' || parentType === 'Mutation'),
    ) ?? fieldResolvers.find(({ schemaName, target }) => schemaName === field && typeOf(target) === parentType);
  const parameter = method?.params?.find(({ kind }) => kind === 'args');
  return parameter?.kind === 'args' ? (parameter.getType() as Class) : undefined;
}
