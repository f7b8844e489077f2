import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { packageRoot } from '../../../src/platform/package-root.js';

/** The names of the root fields that return a connection. */
export function connectionFields(): string[] {
  const schema = buildSchema(readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8'));
  return Object.keys(schema.getQueryType()!.getFields()).filter((name) => name.endsWith('Connection'));
}
