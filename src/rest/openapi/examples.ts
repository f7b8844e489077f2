import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';
import { type Route } from '../routes.js';

/** The example of a route's request body, from beside its document: `<Operation>.example.json`. */
export function readExample({ feature, operation }: Route): unknown {
  const file = join(packageRoot, 'schema/rest', feature, `${operation}.example.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined;
}
