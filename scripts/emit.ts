import 'reflect-metadata';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema } from 'graphql';
import { printedSchema } from '../src/platform/graphql/semantic-non-null.js';
import { packageRoot } from '../src/platform/package-root.js';
import { buildGatewaySchema } from '../src/transports/graphql/schema.js';
import { catalogPage } from './emit/catalog-page.js';
import { dashboardOperations, orphans } from './emit/dashboard-operations.js';
import { jobsPage } from './emit/jobs-page.js';
import { referencePages } from './emit/reference/pages.js';
import { openApiOf } from './emit/open-api.js';
import { routesPage } from './emit/routes-page.js';
import { textsPage } from './emit/texts-page.js';
import { undescribed } from './emit/undescribed.js';
import { wiredFeatures } from './emit/wiring.js';

/**
 * `npm run emit`: writes the files that are generated from the code. With `--check` it only reports stale files, with
 * exit status 1. A schema member without a description fails both.
 */
const { resolvers, jobs } = await wiredFeatures();
const schema = buildGatewaySchema(resolvers);
const operations = await dashboardOperations(schema);
const openApi = openApiOf(schema);
const texts: Record<string, string> = {
  'schema/schema.graphql': printedSchema(lexicographicSortSchema(schema)),
  'schema/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  'docs/routes.md': routesPage(schema),
  'docs/jobs.md': jobsPage(jobs),
  'docs/catalog.md': catalogPage(),
  'docs/texts.md': textsPage(),
  ...referencePages(openApi),
  ...operations,
};

const stale = Object.entries(texts).filter(([file, text]) => text !== present(join(packageRoot, file)));
const check = process.argv.includes('--check');
for (const [file, text] of stale) {
  if (check) process.stderr.write(`${file} is stale: run \`npm run emit\` and commit it.\n`);
  else writeFileSync(join(packageRoot, file), text);
}
const gone = orphans(operations);
for (const file of gone) {
  if (check) process.stderr.write(`${file} has no source any more: run \`npm run emit\`.\n`);
  else rmSync(join(packageRoot, file));
}
const silent = undescribed(schema);
for (const name of silent) process.stderr.write(`${name} has no description in the GraphQL schema.\n`);
process.exitCode = silent.length > 0 || (check && stale.length + gone.length > 0) ? 1 : 0;

function present(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
