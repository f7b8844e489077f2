import fc, { type Arbitrary } from 'fast-check';
import {
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { NASTY_TEXTS } from './nasty-texts.js';

/** A place in a value that names a thing of the world, to be filled in when the request is sent: runs change what exists. */
export class Named {
  constructor(
    readonly kind: string,
    readonly index: number,
  ) {}

  toString(): string {
    return `<${this.kind} ${this.index}>`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The kinds of things that ids name; `foreign…` are of another account. */
const KINDS = ['workflow', 'trigger', 'integration', 'run', 'change', 'webhook', 'delivery', 'foreign_workflow'];

/** A text: short and plain, nasty, or any code units whatever. */
export const text: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS.filter(({ length }) => length < 1_300)) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)) },
);

/** Any JSON value, `__proto__` among its keys. */
export const json: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
  text,
  fc.array(fc.tuple(text, fc.jsonValue()), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  fc.constantFrom(null, 0, -0, 1.5, 2 ** 31, 2 ** 53, -1, 1e308, '', [], {}, true),
);

const id: Arbitrary<unknown> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...KINDS), fc.nat(9)).map(([kind, index]) => new Named(kind, index)),
  },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('wf_01h455vb4pex5vsknk084sn02q', 'int_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'wf_') },
);

const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-02-30T00:00:00Z', '2026-01-01', 'now', '9999-12-31T23:59:59.999+14:00', '0000-01-01T00:00:00Z'),
  text,
);

const SCALARS: Record<string, Arbitrary<unknown>> = {
  ID: id,
  String: text,
  Int: fc.oneof(fc.integer({ min: -1, max: 101 }), fc.integer({ min: 1, max: 100 }), fc.integer(), fc.double()),
  Float: fc.double(),
  Boolean: fc.boolean(),
  DateTime: moment,
  JSON: json,
  JSONObject: fc.array(fc.tuple(text, json), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
};

const URL = fc.constantFrom('http://127.0.0.1:9/', 'https://example.com/x', 'http://[', 'javascript:1', '//x');

/** Keys that mean something inside of free JSON, so that rules behind the types are reached. */
const CONFIG: Arbitrary<unknown> = fc.record(
  {
    cron: fc.oneof(fc.constantFrom('* * * * *', '0 9 * * MON-FRI', '0 0 31 2 *', '@daily', '60 * * * *'), text),
    timezone: fc.oneof(fc.constantFrom('Europe/Berlin', 'UTC', 'Mars/Base'), text),
    catch_up: fc.constantFrom('none', 'last', 'all', 5),
    event: fc.oneof(fc.constantFrom('contact.created', 'item.created'), text),
    filter: fc.oneof(fc.dictionary(text, json, { maxKeys: 3 }), json),
    integration_id: fc.oneof(
      fc.nat(9).map((index) => new Named('integration', index)),
      id,
    ),
    secret: text,
    signature_header: fc.oneof(fc.constantFrom('X-Sig', 'X Sig', ''), text),
    dedupe_header: fc.oneof(fc.constantFrom('X-Id', 'bad header'), text),
    seconds: fc.oneof(fc.integer({ min: 1, max: 86_400 }), json),
    method: fc.oneof(fc.constantFrom('GET', 'POST', 'TRACE', 'get'), text),
    url: fc.oneof(URL, text),
    path: fc.oneof(fc.constantFrom('/me', '//evil', 'trigger.body.x', '/{{ trigger.body.x }}'), text),
    headers: fc.oneof(fc.dictionary(text, text, { maxKeys: 3 }), json),
    body: json,
    operator: fc.oneof(fc.constantFrom('equals', 'exists', 'greater_than'), text),
    value: json,
    to: fc.oneof(fc.constantFrom('ada@example.com', ['a@b.c', 'd@e.f'], 'x'), text),
    subject: text,
    text,
  },
  { requiredKeys: [] },
);

const CREDENTIALS = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ api_key: 'sandbox_valid_key' }) },
  { weight: 2, arbitrary: fc.record({ api_key: fc.oneof(text, json) }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: SCALARS['JSONObject']! },
);

/** What a name says beyond its type. */
const BY_NAME: Record<string, Arbitrary<unknown>> = {
  config: CONFIG,
  credentials: CREDENTIALS,
  type: fc.oneof(fc.constantFrom('sandbox_api_key', 'sandbox_oauth', 'github', 'shopify'), text),
  parameters: fc.oneof(fc.constantFrom({}, { shop: 'a' }, { shop: '../x' }), SCALARS['JSONObject']!),
  returnUrl: fc.oneof(URL, text),
  url: fc.oneof(URL, text),
  events: fc.array(fc.constantFrom('run.succeeded', 'workflow.created', 'nope'), { maxLength: 4 }),
  // Waits are another suite's: here they would only take time.
  wait: fc.constantFrom(0, 31, -1, 1.5, 'x', null),
  expiresIn: fc.integer({ min: 0, max: 4_000 }),
};

/** How the values of one door are written. */
export interface Spelling {
  name(graphqlName: string): string;
  word(enumName: string, enumValue: unknown): unknown;
}

/** Values of a type that are mostly right, and wrong often enough. `kind` is what an id named `id` would name. */
export function valueOf(type: GraphQLInputType, name: string, spelling: Spelling, kind?: string): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: rightValue(type, name, spelling, kind) },
    { weight: 1, arbitrary: fc.oneof(json, fc.constant(null)) },
  );
}

function rightValue(type: GraphQLInputType, name: string, spelling: Spelling, kind?: string): Arbitrary<unknown> {
  if (isNonNullType(type)) return rightValue(type.ofType, name, spelling, kind);
  const known = BY_NAME[camelCase(name)];
  const named = getNamedType(type);
  if (known !== undefined && !isEnumType(named)) return known;
  if (isListType(type)) return fc.array(valueOf(type.ofType, name, spelling, kind), { maxLength: 3 });
  if (isEnumType(named)) {
    return fc.constantFrom(...named.getValues().map(({ name: word, value }) => spelling.word(word, value)));
  }
  if (isInputObjectType(named)) return fieldsOf(Object.values(named.getFields()), spelling, kind);
  if (named.name === 'ID') return idOf(name, kind);
  return SCALARS[named.name] ?? json;
}

function idOf(name: string, kind: string | undefined): Arbitrary<unknown> {
  const likely = name === 'id' ? kind : name === 'after' ? 'change' : name.replace(/(Id|_id)$/, '');
  if (likely === undefined) return id;
  const right = fc.nat(9).map((index) => new Named(likely, index));
  return fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: id });
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Field = Pick<GraphQLInputField, 'name' | 'type' | 'defaultValue'>;

/** An object of these fields: required ones are seldom left out, and there may be more than are known. */
export function fieldsOf(
  fields: readonly Field[],
  spelling: Spelling,
  kind?: string,
): Arbitrary<Record<string, unknown>> {
  const entries = fields.map(({ name, type, defaultValue }) => {
    const value = valueOf(type, name, spelling, kind).map((given) => [[spelling.name(name), given]]);
    const isRequired = isNonNullType(type) && defaultValue === undefined;
    return fc.oneof({ weight: isRequired ? 19 : 1, arbitrary: value }, { weight: 1, arbitrary: fc.constant([]) });
  });
  const more = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(text, json), { maxLength: 2 }) },
  );
  return fc.tuple(...entries, more).map((parts) => Object.fromEntries(parts.flat() as [string, unknown][]));
}
