import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/platform/package-root.js';

/** Builds the dashboard as `npm run build` does, and only when it has changed since. */
export function buildDashboard(): Promise<void> {
  return build('dashboard');
}

/** The same for GraphiQL. */
export function buildGraphiql(): Promise<void> {
  return build('graphiql');
}

/** The same for the pages of docs/. */
export function buildDocs(): Promise<void> {
  return build('docs');
}

async function build(part: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(packageRoot, 'scripts/build.mjs'), part], { cwd: packageRoot });
}
