import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CATALOG_ONLY, toFileName } from '../../../src/features/integrations/apps/apps-file-names.js';
import { appSchema } from '../../../src/features/integrations/apps/schema/app-schema.js';
import { templateNames } from '../../../src/features/integrations/apps/schema/template-names.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { table } from '../markdown.js';
import { ABOUT } from './app-keys.js';

/** The file that the page shows, and that a test loads. */
const EXAMPLE = 'examples/apps-file/apps.json';

interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
}

interface Key {
  required: boolean;
  values: Set<string>;
  fallback: string;
}

/** Every key of an app, from the schema that validates the file. @throws Error if a key or its description is missing. */
export function appKeys(): string {
  const schema = z.toJSONSchema(appSchema(templateNames({})), { io: 'input', unrepresentable: 'any' }) as Schema;
  const keys = new Map<string, Key>();
  collect(schema, '', keys);
  for (const secret of ['auth.client_id', 'auth.client_secret']) keys.set(secret, { required: true, ...NOTHING });
  keys.set('event_source.signature.secret', { required: false, ...NOTHING });
  const unsaid = [...keys.keys()].filter((key) => !(key in ABOUT) && !GROUPS.has(key));
  const unknown = Object.keys(ABOUT).filter((key) => !keys.has(key));
  if (unsaid.length + unknown.length > 0)
    throw new Error(`scripts/emit/reference/app-keys.ts: ${unsaid.join(', ')} missing; ${unknown.join(', ')} unknown.`);
  const rows = Object.entries(ABOUT).map(([key, about]) => {
    const { required, values, fallback } = keys.get(key)!;
    const words = values.size === 0 ? '' : ` One of ${[...values].join(', ')}.`;
    return [`\`${key}\``, required ? 'yes' : fallback, about + words];
  });
  return table(['Key', 'Required, or its default', 'What'], rows);
}

/** The example, as it lies in its file. */
export function exampleApps(): string {
  return `\`\`\`json\n${readFileSync(join(packageRoot, EXAMPLE), 'utf8').trim()}\n\`\`\``;
}

/** Keys of which only what is in them is told. */
const GROUPS = new Set([
  'auth',
  'auth.captures.<name>',
  'auth.placement',
  'auth.verify',
  'identity',
  'parameters.<name>',
  'event_source',
  'events.<name>',
]);
const NOTHING = { values: new Set<string>(), fallback: '' };

/** Of alternatives a key is required where every one that has it says so. */
function collect(schema: Schema, path: string, into: Map<string, Key>): void {
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) collect(one, path, into);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (CATALOG_ONLY.has(name)) continue;
    const key = path === '' ? toFileName(name) : `${path}.${toFileName(name)}`;
    const known = into.get(key);
    const isRequired = schema.required?.includes(name) === true;
    const values = known?.values ?? new Set<string>();
    for (const value of wordsOf(inner)) values.add(`\`${String(value)}\``);
    const fallback = inner.default === undefined ? '' : `\`${JSON.stringify(inner.default)}\``;
    into.set(key, { required: isRequired && known?.required !== false, values, fallback });
    collect(inner, key, into);
    if (typeof inner.additionalProperties === 'object') collect(inner.additionalProperties, `${key}.<name>`, into);
  }
}

function wordsOf({ const: word, enum: words, anyOf = [], oneOf = [] }: Schema): unknown[] {
  return [...(word === undefined ? [] : [word]), ...(words ?? []), ...[...anyOf, ...oneOf].flatMap(wordsOf)].filter(
    (each) => each !== null,
  );
}
