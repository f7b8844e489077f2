import { getMetadataStorage as getRules } from 'class-validator';
import { placeClass } from '../input-classes.js';
import { type Place } from '../variable-uses.js';
import { type JsonSchema } from './json-schema.js';

/** The validation rules of an input class, beyond its type. */
export interface Bounds {
  /** JSON Schema keywords: `minimum`, `maxLength`, … */
  keywords: JsonSchema;
  /** Whether an optional field also accepts an explicit null. */
  takesNull: boolean;
}

/** The rules at the place where a variable is used; empty where that place has no class. */
export function boundsAt(place: Place): Bounds {
  const { target, property } = placeClass(place);
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
