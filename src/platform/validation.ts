import {
  registerDecorator,
  ValidateIf,
  validateSync,
  type ValidationError,
  type ValidatorOptions,
} from 'class-validator';
import { type ErrorDetail, validationError } from './errors.js';

/**
 * Why a text is invalid; undefined when it is valid. Lengths count code points, and nothing is trimmed. PostgreSQL
 * cannot store NUL, and a lone surrogate would silently become U+FFFD.
 */
export function textFault(value: unknown, min: number, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (value.includes('\0')) return 'must not contain the NUL character';
  if (!value.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates';
  // The cheap bound first: a code point is one or two code units.
  const length = value.length <= min * 2 || value.length > max ? codePoints(value, max) : value.length;
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters`;
  return undefined;
}

function codePoints(value: string, max: number): number {
  if (value.length > max * 2) return max + 1;
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/**
 * The dotted path of the first text inside a JSON value, keys included, that cannot be stored (see `textFault`);
 * undefined when all can. `text`: the value as JSON.
 */
export function unstorablePath(value: unknown, path: string, text = JSON.stringify(value)): string | undefined {
  // Writing an object of many members takes a quarter of the time of a look at each, and nearly all can be stored.
  return UNSTORABLE.test(text) ? unstorableIn(value, path) : undefined;
}

/** NUL or a lone surrogate, as JSON.stringify escapes them; or a text that has such an escape. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

function unstorableIn(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return textFault(value, 0, Infinity) === undefined ? undefined : path;
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (textFault(key, 0, Infinity) !== undefined) return path;
    const found = unstorableIn(inner, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Validates a property as a text of `min` to `max` code points. */
export function IsText(min: number, max: number): PropertyDecorator {
  return (target, propertyKey) => {
    registerDecorator({
      name: 'isText',
      target: target.constructor,
      propertyName: propertyKey as string,
      constraints: [min, max],
      validator: {
        validate: (value) => textFault(value, min, max) === undefined,
        defaultMessage: (args) => textFault(args?.value, min, max) ?? '',
      },
    });
  };
}

/** Values of fields in which null means "not given", by class and field. */
const absentValues = new Map<unknown, Map<string, unknown>>();

/**
 * For an optional field in which null has no meaning. The other rules hold if it is given. GraphQL, whose types allow
 * null there, takes null as absent (see `takeNullsAsAbsent`); REST, whose document does not allow it, refuses null.
 * `otherwise`: the value of an absent field.
 */
export function IfGiven(otherwise?: unknown): PropertyDecorator {
  return (target, propertyKey) => {
    const fields = absentValues.get(target.constructor) ?? new Map<string, unknown>();
    absentValues.set(target.constructor, fields.set(propertyKey as string, otherwise));
    ValidateIf((_, value) => value !== undefined)(target, propertyKey);
  };
}

/** Replaces nulls that mean "not given" in an instance of an input class. */
export function takeNullsAsAbsent(input: object): void {
  const values = input as Record<string, unknown>;
  for (const [field, otherwise] of absentValues.get(input.constructor) ?? []) {
    if (values[field] === null) values[field] = otherwise;
  }
}

/** Checks an instance of an input or arguments class. @throws AppError `validation_error` naming every field. */
export function validateInput(value: object): void {
  const [first, ...rest] = faultsOfInput(value);
  if (first !== undefined) throw validationError(first, ...rest);
}

/** The faults of an instance of an input or arguments class. */
export function faultsOfInput(value: object, options: ValidatorOptions = {}): ErrorDetail[] {
  const hidden = { forbidUnknownValues: false, validationError: { target: false, value: false } };
  return validateSync(value, { ...hidden, ...options }).flatMap((error) => detailsOf(error, ''));
}

function detailsOf(error: ValidationError, parent: string): ErrorDetail[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.values(error.constraints ?? {}).slice(0, 1);
  return [
    ...own.map((message) => ({ field, message })),
    ...(error.children ?? []).flatMap((child) => detailsOf(child, field)),
  ];
}
