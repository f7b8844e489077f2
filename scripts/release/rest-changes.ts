import { type Fact, type Facts, factsOf, type Schema } from './schema-facts.js';

/** A change that breaks a client, and what it concerns: `Query.runs`, `GET /v1/runs` or the event `run.succeeded`. */
export interface BreakingChange {
  subject: string;
  description: string;
}

/** An OpenAPI document, as far as the comparison reads it. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  /** Events by their type. */
  webhooks?: Record<string, Record<string, Operation>>;
  components?: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Response>;
  };
}

interface Operation {
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Record<string, Response | Reference>;
}

interface Reference {
  $ref: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface Response {
  content?: Content;
}

type Content = Record<string, { schema?: Schema }>;

/** What clients and receivers of events of `before` can no longer rely on. */
export function restChanges(before: OpenApi, after: OpenApi): BreakingChange[] {
  return [new RestComparison(before, after).paths(), new RestComparison(before, after).events()].flat();
}

class RestComparison {
  constructor(
    private readonly before: OpenApi,
    private readonly after: OpenApi,
  ) {}

  paths(): BreakingChange[] {
    return operations(this.before.paths).flatMap(([path, method, old]) => {
      const now = this.after.paths[path]?.[method];
      const faults = now === undefined ? ['was removed'] : this.inOperation(old, now);
      return changes(`${method.toUpperCase()} /v1${path}`, faults);
    });
  }

  /** Events are sent to clients: what is a request here is what they get. */
  events(): BreakingChange[] {
    return operations(this.before.webhooks ?? {}).flatMap(([type, method, old]) => {
      const now = this.after.webhooks?.[type]?.[method];
      const faults =
        now === undefined
          ? ['is no longer sent']
          : [
              ...lost(this.parametersOf(this.before, old), this.parametersOf(this.after, now)).map(
                (name) => `lacks the ${name}`,
              ),
              ...this.inGiven('its body', old.requestBody?.content, now.requestBody?.content, []),
            ];
      return changes(type, faults);
    });
  }

  private inOperation(old: Operation, now: Operation): string[] {
    return [...this.inParameters(old, now), ...this.inBody(old, now), ...this.inResponses(old, now)];
  }

  private inParameters(old: Operation, now: Operation): string[] {
    const [had, has] = [this.parametersOf(this.before, old), this.parametersOf(this.after, now)];
    const demanded = [...has].filter(([name, { required }]) => required === true && had.get(name)?.required !== true);
    const narrowed = [...had].flatMap(([name, { schema = {} }]) => {
      const is = has.get(name);
      return is === undefined ? [] : narrower(`the ${name}`, this.was(schema), this.is(is.schema ?? {}));
    });
    return [
      ...lost(had, has).map((name) => `no longer takes the ${name}`),
      ...demanded.map(([name]) => `now requires the ${name}`),
      ...narrowed,
    ];
  }

  private inBody({ requestBody: old }: Operation, { requestBody: now }: Operation): string[] {
    const [had, has] = [old?.content ?? {}, now?.content ?? {}];
    return [
      ...(now?.required === true && old?.required !== true ? ['now requires a body'] : []),
      ...Object.entries(had).flatMap(([type, { schema = {} }]) =>
        has[type] === undefined
          ? [`no longer takes ${type}`]
          : narrower('the body', this.was(schema), this.is(has[type].schema ?? {})),
      ),
    ];
  }

  private inResponses(old: Operation, now: Operation): string[] {
    return Object.entries(old.responses ?? {}).flatMap(([status, response]) => {
      const has = now.responses?.[status];
      if (has === undefined) return [`no longer answers ${status}`];
      const contents = [contentOf(this.before, response), contentOf(this.after, has)] as const;
      // A code that is new may come at any time, and one that is gone is missed.
      return this.inGiven(status, ...contents, status >= '400' ? ['code'] : []);
    });
  }

  private inGiven(what: string, had: Content = {}, has: Content = {}, codes: readonly string[]): string[] {
    return Object.entries(had).flatMap(([type, { schema = {} }]) =>
      has[type] === undefined
        ? [`${what} is no longer ${type}`]
        : wider(what, this.was(schema), this.is(has[type].schema ?? {}), codes),
    );
  }

  private was(schema: Schema): Facts {
    return factsOf(schema, this.before.components?.schemas ?? {});
  }

  private is(schema: Schema): Facts {
    return factsOf(schema, this.after.components?.schemas ?? {});
  }

  private parametersOf({ components }: OpenApi, { parameters = [] }: Operation): Map<string, Parameter> {
    const found = parameters.map((one) => ('$ref' in one ? components!.parameters![lastOf(one.$ref)]! : one));
    return new Map(found.map((one) => [`${one.in} ${one.name}`, one]));
  }
}

/** What `had` takes and `has` does not: fields, types and values of a request. */
function narrower(what: string, had: Facts, has: Facts): string[] {
  const demanded = [...has]
    .filter(([name, { isRequired }]) => isRequired && had.get(name)?.isRequired !== true && had.has(parentOf(name)))
    .map(([name]) => `now requires the field ${name}`);
  return [
    ...[...had].flatMap(([name, fact]) => {
      const is = has.get(name);
      if (is === undefined) return has.has(parentOf(name)) ? [`no longer takes the field ${name}`] : [];
      const place = placeOf(what, name);
      return beyond(fact, is).map((more) => `no longer takes ${more} for ${place}`);
    }),
    ...demanded,
  ];
}

/** What `has` gives that `had` does not promise, and what it no longer gives. In fields of `codes` new values are no change. */
function wider(what: string, had: Facts, has: Facts, codes: readonly string[]): string[] {
  return [...had].flatMap(([name, fact]) => {
    const is = has.get(name);
    if (is === undefined) return has.has(parentOf(name)) ? [`${what} lacks the field ${name}`] : [];
    const place = placeOf(what, name);
    if (codes.includes(name)) return beyond(fact, is).map((gone) => `no longer gives ${gone} for ${place}`);
    return [
      ...(fact.isRequired && !is.isRequired ? [`may lack ${place}`] : []),
      ...beyond(is, fact).map((more) => `may give ${more} for ${place}`),
    ];
  });
}

/** The types and values of one fact that are not in the other. */
function beyond(one: Fact, other: Fact): string[] {
  const types = other.types === undefined ? [] : one.types === undefined ? ['any type'] : [...one.types];
  const wrong = types.filter((type) => !other.types!.has(type) && !(type === 'integer' && other.types!.has('number')));
  if (wrong.length > 0) return wrong.map((type) => (type === 'any type' ? type : `the type ${type}`));
  if (other.values === undefined) return [];
  return one.values === undefined
    ? ['any value']
    : [...one.values].filter((value) => !other.values!.has(value)).map((value) => JSON.stringify(value));
}

function placeOf(what: string, name: string): string {
  return name === '' ? what : `the field ${name} of ${what}`;
}

function parentOf(name: string): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
}

function lost(had: ReadonlyMap<string, unknown>, has: ReadonlyMap<string, unknown>): string[] {
  return [...had.keys()].filter((name) => !has.has(name));
}

function operations(paths: OpenApi['paths']): [path: string, method: string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );
}

function contentOf({ components }: OpenApi, response: Response | Reference): Content | undefined {
  return ('$ref' in response ? components!.responses![lastOf(response.$ref)]! : response).content;
}

function changes(subject: string, faults: readonly string[]): BreakingChange[] {
  return [...new Set(faults)].map((fault) => ({ subject, description: `${subject}: ${fault}` }));
}

function lastOf(reference: string): string {
  return reference.split('/').at(-1)!;
}
