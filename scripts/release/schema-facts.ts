/** The parts of a JSON Schema that the comparison looks at. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

/** What a value may be. Undefined: anything. */
export interface Fact {
  types: Set<string> | undefined;
  values: Set<unknown> | undefined;
  /** In each object that has the place of its parent. */
  isRequired: boolean;
}

/** Facts by the dotted name of the field, `''` for the value itself; `[]` are the items of a list, `*` the values of free names. */
export type Facts = Map<string, Fact>;

/** What is known of a value and of its fields. A type that contains itself has no further fields. */
export function factsOf(schema: Schema, named: Record<string, Schema>, above: readonly string[] = []): Facts {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    const target = named[name];
    return target === undefined || above.includes(name)
      ? new Map([['', ANYTHING]])
      : factsOf(target, named, [...above, name]);
  }
  const facts: Facts = new Map([['', { types: typesOf(schema), values: valuesOf(schema), isRequired: true }]]);
  const add = (name: string, part: Schema, isRequired: boolean): void => {
    for (const [below, fact] of factsOf(part, named, above))
      facts.set(below === '' ? name : `${name}.${below}`, below === '' ? { ...fact, isRequired } : fact);
  };
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    add(name, part, schema.required?.includes(name) ?? false);
  if (schema.items !== undefined) add('[]', schema.items, false);
  if (typeof schema.additionalProperties === 'object') add('*', schema.additionalProperties, false);
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const either = alternatives.map((part) => factsOf(part, named, above)).reduce<Facts | undefined>(union, undefined);
  const all = (schema.allOf ?? []).map((part) => factsOf(part, named, above));
  return [...(either === undefined ? [] : [either]), ...all].reduce(intersection, facts);
}

const ANYTHING: Fact = { types: undefined, values: undefined, isRequired: true };

function typesOf({ type, ...schema }: Schema): Set<string> | undefined {
  if (type !== undefined) return new Set([type].flat());
  const values = valuesOf(schema);
  return values && new Set([...values].map((value) => (value === null ? 'null' : typeof value)));
}

function valuesOf({ type, enum: values, const: only }: Schema): Set<unknown> | undefined {
  if (values !== undefined) return new Set(values);
  if (only !== undefined) return new Set([only]);
  return type === 'null' ? new Set([null]) : undefined;
}

function union(one: Facts | undefined, other: Facts): Facts {
  if (one === undefined) return other;
  const both = new Map<string, Fact>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(name), other.get(name)];
    if (a === undefined || b === undefined) both.set(name, { ...(a ?? b)!, isRequired: false });
    else
      both.set(name, {
        types: a.types && b.types && new Set([...a.types, ...b.types]),
        values: a.values && b.values && new Set([...a.values, ...b.values]),
        isRequired: a.isRequired && b.isRequired,
      });
  }
  return both;
}

function intersection(one: Facts, other: Facts): Facts {
  const both = new Map(one);
  for (const [name, b] of other) {
    const a = one.get(name);
    const common = <T>(x: Set<T> | undefined, y: Set<T> | undefined) =>
      x && y ? new Set([...x].filter((one) => y.has(one))) : (x ?? y);
    if (a === undefined) both.set(name, b);
    else
      both.set(name, {
        types: common(a.types, b.types),
        values: common(a.values, b.values),
        isRequired: a.isRequired || b.isRequired,
      });
  }
  return both;
}
