/** One key of a config that is stored as it was sent: what the documents say of it. */
export interface ConfigKey {
  /** Whether a config without it is always refused. */
  required: boolean;
  /** Sentences: what it means, and what it is when it is left out. */
  about: string;
  /** The JSON Schema of its value. */
  schema: Readonly<Record<string, unknown>>;
}

/** The keys that a config may have, in the order of the documents. Unknown ones are kept and have no effect. */
export type ConfigKeys = Readonly<Record<string, ConfigKey>>;

/** The names in one object of a config, and the path to it, with a dot at its end. */
export interface ConfigNames {
  at: string;
  given: readonly string[];
  known: readonly string[];
}

/** The names in a config and in the objects of it whose keys are known. */
export function configNames(config: Readonly<Record<string, unknown>>, keys: ConfigKeys, at: string): ConfigNames[] {
  const inner = Object.entries(keys).flatMap(([key, { schema }]) => {
    const [value, { properties }] = [config[key], schema];
    if (!isObject(properties) || !isObject(value)) return [];
    return [{ at: `${at}${key}.`, given: Object.keys(value), known: Object.keys(properties) }];
  });
  return [{ at, given: Object.keys(config), known: Object.keys(keys) }, ...inner];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys as a Markdown list, a line each behind `indent`. */
export function keyList(keys: ConfigKeys, indent = ''): string {
  return Object.entries(keys)
    .map(([name, { required, about }]) => `${indent}- \`${name}\`${required ? ' (required)' : ''}: ${about}`)
    .join('\n');
}

/** The schema of a value that may come by a placeholder. */
export function orPlaceholder(schema: ConfigKey['schema']): ConfigKey['schema'] {
  return { anyOf: [schema, { type: 'string', pattern: '\\{\\{' }] };
}
