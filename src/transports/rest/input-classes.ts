import { getMetadataStorage } from 'type-graphql';
import { type Place } from './variable-uses.js';

type Class = abstract new (...parameters: never[]) => object;

/** A property of the class whose rules validate a variable. */
export interface PlaceClass {
  /** Undefined where the place has no class. */
  target: Class | undefined;
  property: string;
}

/** The class and its property at the place where a variable is used. */
export function placeClass(place: Place): PlaceClass {
  return 'input' in place
    ? { target: inputClass(place.input), property: place.field }
    : { target: argumentsClass(place.parentType, place.field, place.argument), property: place.argument };
}

function inputClass(name: string): Class | undefined {
  return getMetadataStorage().inputTypes.find((input) => input.name === name)?.target as Class | undefined;
}

/** The class of `@Args()` of a resolver method that has the argument. */
function argumentsClass(parentType: string, field: string, argument: string): Class | undefined {
  const { queries, mutations, fieldResolvers, resolverClasses, objectTypes, argumentTypes } = getMetadataStorage();
  const typeOf = (resolver: unknown): string | undefined => {
    const target = resolverClasses.find((one) => one.target === resolver)?.getObjectType();
    return objectTypes.find((type) => type.target === target)?.name;
  };
  const method =
    [...queries, ...mutations].find(
      ({ schemaName }) => schemaName === field && (parentType === 'Query' || parentType === 'Mutation'),
    ) ?? fieldResolvers.find(({ schemaName, target }) => schemaName === field && typeOf(target) === parentType);
  const classes = (method?.params ?? []).flatMap((one) => (one.kind === 'args' ? [one.getType() as Class] : []));
  const has = (target: Class): boolean =>
    argumentTypes.some(
      ({ target: owner, fields = [] }) =>
        (owner === target || target.prototype instanceof owner) &&
        fields.some(({ schemaName }) => schemaName === argument),
    );
  return classes.find(has);
}
