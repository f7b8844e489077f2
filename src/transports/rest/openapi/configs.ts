import { type ConfigKeys } from '../../../platform/json/config-key.js';
import { type Facts, type Kind, type OpenApi } from './document.js';
import { type JsonSchema } from './json-schema.js';

type Schemas = Record<string, JsonSchema>;
/** A schema with properties of its own. */
interface ObjectSchema extends JsonSchema {
  properties: Readonly<Record<string, JsonSchema>>;
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const isObject = (schema: JsonSchema): schema is ObjectSchema => 'properties' in schema;

/**
 * Says in a finished document what the configs of triggers and actions hold, which GraphQL knows as JSON alone: by the
 * definitions of their kinds.
 */
export function describeConfigs({ paths, components }: OpenApi, { triggers, actions }: Facts): void {
  const schemas = components.schemas as Schemas;
  describeTriggers(schemas, triggers, paths);
  describeActions(schemas, actions);
}

function describeTriggers(schemas: Schemas, kinds: readonly Kind[], paths: OpenApi['paths']): void {
  const names = addConfigs(schemas, kinds, 'TriggerConfig');
  const anyConfig = {
    description: 'By the type of the trigger. Unknown keys are kept.',
    anyOf: [...names.values()].map(ref),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    if (/^Trigger(Summary)?$/.test(name) && isObject(schema)) schemas[name] = withProperty(schema, 'config', anyConfig);
  }
  const updated = bodyOf(paths['/triggers/{id}']!.put!);
  updated.schema = withProperty(updated.schema as ObjectSchema, 'config', anyConfig);
  const created = bodyOf(paths['/triggers']!.post!);
  created.schema = byKind(
    schemas,
    'type',
    names,
    created.schema as ObjectSchema,
    (type) => `New${pascal(type)}Trigger`,
  );
}

function describeActions(schemas: Schemas, kinds: readonly Kind[]): void {
  const names = addConfigs(schemas, kinds, 'ActionConfig');
  const union = byKind(schemas, 'kind', names, schemas.Action as ObjectSchema, (kind) => `${pascal(kind)}Action`);
  // What is sent and what is given back have the same shape.
  schemas.ActionInput = { description: schemas.ActionInput!.description, ...union };
  schemas.Action = { description: schemas.Action!.description, ...union };
}

/** Adds the schema of the config of each kind. @returns its name by the word of the kind. */
function addConfigs(schemas: Schemas, kinds: readonly Kind[], suffix: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { word, description, keys } of kinds) {
    const name = pascal(word) + suffix;
    schemas[name] = configSchema(description, keys);
    names.set(word, name);
  }
  return names;
}

/** One schema for each kind, told apart by `key`. */
function byKind(
  schemas: Schemas,
  key: string,
  configs: ReadonlyMap<string, string>,
  whole: ObjectSchema,
  nameOf: (kind: string) => string,
): JsonSchema {
  const mapping: Record<string, string> = {};
  for (const [kind, config] of configs) {
    const name = nameOf(kind);
    const isRequired = (schemas[config]!.required as readonly string[]).length > 0;
    const narrowed = withProperty(withProperty(whole, key, { type: 'string', const: kind }), 'config', ref(config));
    const required = [...new Set([...(whole.required as readonly string[]), ...(isRequired ? ['config'] : [])])];
    const properties = isRequired ? narrowed.properties : { ...narrowed.properties, config: nullable(ref(config)) };
    schemas[name] = { type: 'object', properties, required };
    mapping[kind] = `#/components/schemas/${name}`;
  }
  return { oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName: key, mapping } };
}

function configSchema(description: string, keys: ConfigKeys): JsonSchema {
  const entries = Object.entries(keys);
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { about, schema }]) => [name, { description: about, ...schema }]),
    ),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: true,
  };
}

function withProperty(schema: ObjectSchema, name: string, property: JsonSchema): ObjectSchema {
  return { ...schema, properties: { ...schema.properties, [name]: property } };
}

function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

function bodyOf(operation: JsonSchema): { schema: JsonSchema } {
  const { content } = operation.requestBody as { content: Record<string, { schema: JsonSchema }> };
  return content['application/json']!;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
