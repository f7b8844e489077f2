import { type ServerResponse } from 'node:http';
import {
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type ConfigKeys } from '../../platform/json/config-key.js';
import { toRestName } from './names.js';

/** A field that a request may have, under its name in REST. */
interface KnownField {
  name: string;
  type: GraphQLInputType;
}

/** The keys of a config by the type of its trigger or the kind of its action, e.g. `schedule` or `delay`. */
export type ConfigsByKind = ReadonlyMap<unknown, ConfigKeys>;

const MAX_NAMES = 20;
/** The most characters of a name in the header; a longer one is cut. */
const MAX_NAME_LENGTH = 100;
/** A token (RFC 9110, 5.6.2) without `%`, which begins an encoded byte. */
const TOKEN = /^[!#$&'*+\-.^_`|~0-9A-Za-z]+$/;

const members = new WeakMap<GraphQLInputObjectType, readonly KnownField[]>();

/**
 * The header `Ignored-Fields` of a response: the names in its request that have no effect, at most 20. It is set as
 * soon as a name is found, so that a refusal has it too.
 */
export class IgnoredFields {
  private readonly names = new Set<string>();

  constructor(
    private readonly response: ServerResponse,
    private readonly configs: ConfigsByKind,
  ) {}

  add(name: string): void {
    if (this.isFull) return;
    this.names.add(headerName(name));
    this.response.setHeader('ignored-fields', [...this.names].join(', '));
  }

  /** Adds the keys that are no field of `known`, with a dotted path before those of inner objects: `actions.0.nmae`. */
  addUnknown(given: Readonly<Record<string, unknown>>, known: readonly KnownField[], path = ''): void {
    for (const key of Object.keys(given)) {
      if (this.isFull) return;
      const field = known.find(({ name }) => name === key);
      if (field === undefined) this.add(path + key);
      else this.addWithin(given[key], field.type, `${path}${key}.`);
    }
    const kind = known.find(({ name }) => name === 'type' || name === 'kind');
    if (kind !== undefined) this.addUnknownOfConfig(given.config, given[kind.name], path);
  }

  /** Adds the keys of a config that its kind does not have. They are stored and returned, and have no effect. */
  addUnknownOfConfig(config: unknown, kind: unknown, path = ''): void {
    const keys = this.configs.get(kind);
    if (keys === undefined || typeof config !== 'object' || config === null || Array.isArray(config)) return;
    for (const key of Object.keys(config)) {
      if (this.isFull) return;
      if (!Object.hasOwn(keys, key)) this.add(`${path}config.${key}`);
    }
  }

  /** Looks at what the schema describes; the keys of a `config` depend on its kind. */
  private addWithin(value: unknown, type: GraphQLInputType, path: string): void {
    const inner = getNullableType<GraphQLInputType>(type);
    if (isListType(inner) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.addWithin(item, inner.ofType, `${path}${index}.`);
    } else if (isInputObjectType(inner) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      this.addUnknown(value as Record<string, unknown>, membersOf(inner), path);
    }
  }

  private get isFull(): boolean {
    return this.names.size >= MAX_NAMES;
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

/** A name as a token: bytes of other characters are percent-encoded. */
function headerName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH && TOKEN.test(name)) return name;
  let token = '';
  for (const character of name) {
    const part = TOKEN.test(character) ? character : percentEncoded(character);
    if (token.length + part.length > MAX_NAME_LENGTH) break;
    token += part;
  }
  // An element of a list must not be empty (RFC 9110, 5.6.1).
  return token === '' ? '""' : token;
}

function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}
