import {
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type ConfigKeys, configNames, type ConfigNames } from '../../platform/json/config-key.js';
import { toRestName } from './names.js';

/** A field that a request may have, under its name in REST. */
interface KnownField {
  name: string;
  type: GraphQLInputType;
}

/** The names in one object of a request. Its path is empty for the request itself. */
export interface GivenNames extends ConfigNames {
  /** Whether the object is the config of a trigger or action. Its own feature validates it. */
  isConfig: boolean;
}

/** The keys of a config by the type of its trigger or the kind of its action, e.g. `schedule` or `delay`. */
export type ConfigsByKind = ReadonlyMap<unknown, ConfigKeys>;

type Given = Readonly<Record<string, unknown>>;

const members = new WeakMap<GraphQLInputObjectType, readonly KnownField[]>();

/** The names of a request and of all objects in it that the schema describes; those of a config depend on its kind. */
export function* namesIn(
  given: Given,
  fields: readonly KnownField[],
  configs: ConfigsByKind,
  at = '',
): Generator<GivenNames> {
  yield { at, given: Object.keys(given), known: fields.map(({ name }) => name), isConfig: false };
  for (const { name, type } of fields) {
    if (Object.hasOwn(given, name)) yield* namesWithin(given[name], type, configs, `${at}${name}.`);
  }
  const kind = fields.find(({ name }) => name === 'type' || name === 'kind');
  if (kind !== undefined) yield* namesInConfig(given.config, given[kind.name], configs, at);
}

/** The names in the config of a known kind; none if it is no object. */
export function* namesInConfig(config: unknown, kind: unknown, configs: ConfigsByKind, at = ''): Generator<GivenNames> {
  const keys = configs.get(kind);
  if (keys === undefined || !isObject(config)) return;
  for (const names of configNames(config, keys, `${at}config.`)) yield { ...names, isConfig: true };
}

function* namesWithin(
  value: unknown,
  type: GraphQLInputType,
  configs: ConfigsByKind,
  at: string,
): Generator<GivenNames> {
  const inner = getNullableType<GraphQLInputType>(type);
  if (isListType(inner) && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* namesWithin(item, inner.ofType, configs, `${at}${index}.`);
  } else if (isInputObjectType(inner) && isObject(value)) {
    yield* namesIn(value, membersOf(inner), configs, at);
  }
}

function membersOf(type: GraphQLInputObjectType): readonly KnownField[] {
  let known = members.get(type);
  if (known === undefined) {
    known = Object.values(type.getFields()).map((field) => ({ name: toRestName(field.name), type: field.type }));
    members.set(type, known);
  }
  return known;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
