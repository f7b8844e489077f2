import {
  getNullableType,
  type GraphQLEnumType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLScalarType,
} from 'graphql';
import { type ErrorDetail, MAX_DETAILS, validationError } from '../../platform/errors.js';
import { type Parameter } from './parameter.js';
import { toRestName } from './names.js';

type Given = Readonly<Record<string, unknown>>;

interface GivenParameters {
  /** Those of the path, which come first. */
  path: Given;
  /** The query of a GET or the body of other methods; `isText`: all its values are texts. */
  rest: Given;
  isText: boolean;
  /** The faults that are known already: those of names, see `RequestNames`. */
  faults: readonly ErrorDetail[];
  /** Finds the faults of the variables that have their types. */
  rules: (variables: Given) => ErrorDetail[];
}

/**
 * A request's parameters as the variables of its document; unknown ones are left out. Enums are REST's lower-case words,
 * names in nested objects snake_case. @throws AppError `validation_error` with every invalid field.
 */
export function coerceVariables(
  parameters: readonly Parameter[],
  { path, rest, isText, faults, rules }: GivenParameters,
): Record<string, unknown> {
  const details: ErrorDetail[] = [...faults];
  const variables: Record<string, unknown> = {};
  for (const { name, type, default: fallback } of parameters) {
    const inPath = Object.hasOwn(path, name);
    const value = inPath ? path[name] : Object.hasOwn(rest, name) ? rest[name] : undefined;
    if (value === undefined) {
      if (isNonNullType(type) && fallback === undefined) details.push({ field: name, message: 'is required' });
      continue;
    }
    variables[name] = coerce(value, type, name, inPath || isText, details);
  }
  if (details.length > 0) details.push(...rules(variables));
  const [first, ...others] = details;
  if (first !== undefined) throw validationError(first, ...others);
  return variables;
}

/**
 * The value in GraphQL's form, or an error detail. `isText`: the value comes from the URL, where all values are text, and
 * commas separate the items of a list.
 */
function coerce(
  value: unknown,
  type: GraphQLInputType,
  field: string,
  isText: boolean,
  details: ErrorDetail[],
): unknown {
  const fail = (message: string) => {
    details.push({ field, message });
    return undefined;
  };
  if (value === null) return isNonNullType(type) ? fail('must not be null') : null;
  const inner = getNullableType<GraphQLInputType>(type);
  if (isListType(inner)) {
    const list: unknown = isText ? (value as string).split(',') : value;
    if (!Array.isArray(list)) return fail('must be a list');
    const items: unknown[] = [];
    for (const [index, item] of list.entries()) {
      // The limit of reported details is reached.
      if (details.length >= MAX_DETAILS) break;
      items.push(coerce(item, inner.ofType, `${field}.${index}`, isText, details));
    }
    return items;
  }
  if (isInputObjectType(inner)) {
    if (typeof value !== 'object' || Array.isArray(value)) return fail('must be an object');
    return Object.fromEntries(
      Object.values(inner.getFields()).flatMap((member) => {
        const name = toRestName(member.name);
        if (!Object.hasOwn(value, name)) {
          if (isNonNullType(member.type) && member.defaultValue === undefined) {
            details.push({ field: `${field}.${name}`, message: 'is required' });
          }
          return [];
        }
        return [[member.name, coerce((value as Given)[name], member.type, `${field}.${name}`, isText, details)]];
      }),
    );
  }
  return isEnumType(inner) ? coerceEnum(value, inner, fail) : coerceScalar(value, inner, isText, fail);
}

type Fail = (message: string) => undefined;

function coerceEnum(value: unknown, type: GraphQLEnumType, fail: Fail): unknown {
  const values = type.getValues();
  return (
    values.find((item) => item.value === value)?.name ??
    fail(`must be one of ${values.map((item) => item.value as string).join(', ')}`)
  );
}

function coerceScalar(value: unknown, type: GraphQLScalarType, isText: boolean, fail: Fail): unknown {
  switch (type.name) {
    case 'Int': {
      const number = isText && /^-?\d{1,15}$/.test(value as string) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number)) return fail('must be a whole number');
      return Math.abs(number) < 2 ** 31 ? number : fail('is out of range');
    }
    case 'Boolean': {
      const flag = isText ? { true: true, false: false }[value as string] : value;
      return typeof flag === 'boolean' ? flag : fail('must be true or false');
    }
    case 'ID':
    case 'String':
      return typeof value === 'string' ? value : fail('must be a text');
    default:
      return coerceCustom(value, type, fail);
  }
}

/** Custom scalars have REST's own messages, because their built-in ones speak of GraphQL. */
function coerceCustom(value: unknown, type: GraphQLScalarType, fail: Fail): unknown {
  const expected: Record<string, string> = {
    DateTime: 'must be a date and time (RFC 3339)',
    JSONObject: 'must be an object',
  };
  try {
    type.parseValue(value);
    return value;
  } catch {
    return fail(expected[type.name] ?? 'is not valid');
  }
}
