import fc, { type Arbitrary } from 'fast-check';
import { type GraphQLSchema } from 'graphql';
import { compileOperation, viewSchema } from '../../src/transports/rest/documents.js';
import { toRestName } from '../../src/transports/rest/names.js';
import { type Route } from '../../src/transports/rest/routes.js';
import { fieldsOf, json, type Spelling, text, valueOf } from './values.js';

/** What is sent to a route; the names of things are not yet ids. */
export interface RandomRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Absent for GET. A text is sent as it is. */
  body?: unknown;
  headers: Record<string, string>;
}

/** REST's: snake_case and lower-case words. */
const REST_SPELLING: Spelling = {
  name: toRestName,
  word: (name) => (name.startsWith('READ_') ? name.toLowerCase().replace('_', '-') : name.toLowerCase()),
};

/** Requests of a route: parameters from its document's variables, mostly right, now and then anything whatever. */
export function requestsOf(schema: GraphQLSchema, route: Route): Arbitrary<RandomRequest> {
  const { parameters } = compileOperation(viewSchema(schema), route);
  const kind = kindOf(route);
  const inPath = parameters.filter(({ name }) => route.path.includes(`{${name}}`));
  const others = parameters
    .filter((parameter) => !inPath.includes(parameter))
    .map(({ name, type, default: defaultValue }) => ({ name, type, defaultValue }));
  const path = fc.record(
    Object.fromEntries(inPath.map(({ name, type }) => [name, valueOf(type, name, REST_SPELLING, kind)])),
  );
  const fields = fieldsOf(others, REST_SPELLING, kind);
  const isGet = route.method === 'GET';
  const noise = fc.dictionary(text, text, { maxKeys: 2 });
  return fc.record({
    path,
    query: isGet ? fields : fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: noise }),
    ...(isGet ? {} : { body: bodyOf(fields) }),
    headers: isGet ? fc.constant({}) : headers,
  });
}

function bodyOf(fields: Arbitrary<unknown>): Arbitrary<unknown> {
  const cut = fields.chain((value) => fc.nat(40).map((end) => JSON.stringify(value).slice(0, end)));
  return fc.oneof(
    { weight: 14, arbitrary: fields },
    { weight: 1, arbitrary: json },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constantFrom('', '{}', ' ', '{"a":1,"a":2}', `${'['.repeat(300)}${']'.repeat(300)}`) },
  );
}

const key = fc.oneof(fc.constantFrom('k', 'same', 'x'.repeat(255), 'x'.repeat(256)), fc.uuid());

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: key.map((value) => ({ 'idempotency-key': value })) },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16').map(asType) },
);

function asType(value: string): Record<string, string> {
  return { 'content-type': value };
}

/** What `{id}` in the path of a route names. */
function kindOf({ path }: Route): string {
  return path.split('/')[1]!.replace(/s$/, '');
}

/** The address below `/v1`, once names are ids; nothing in it changes how many segments it has. */
export function addressOf(route: Route, path: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(path[name]));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [wellFormed(name), wellFormed(value)]),
  );
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

function segment(value: unknown): string {
  const code = encodeURIComponent(wellFormed(value)).replace(/^\.{1,2}$/, 'dots');
  return code === '' ? 'empty' : code;
}

function wellFormed(value: unknown): string {
  // Longer addresses are cut off by node:http itself.
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 300).toWellFormed();
}
