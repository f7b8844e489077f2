import { IN_SERVICE } from './scripts/bundled-packages.mjs';

/** The allowed imports: main → process → transports → features → platform, never back, and no cycle. */

/** The files at the top of src, and the folder that assembles the service. */
const process = '^src/((main|index|bin)\\.ts$|process/)';
const transports = '^src/transports/';
const features = '^src/features/';
const platform = '^src/platform/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Merge two files that import each other, or move the shared part into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'A feature must not depend on a feature that is built on it.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-file-has-a-layer',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: [process, transports, features, platform, '^src/dashboard/'] },
    },
    {
      name: 'platform-stands-alone',
      severity: 'error',
      from: { path: platform },
      to: { path: '^src/', pathNot: platform },
    },
    {
      name: 'features-know-no-transport',
      severity: 'error',
      from: { path: features },
      to: { path: '^src/', pathNot: [features, platform] },
    },
    {
      name: 'transports-know-no-process',
      severity: 'error',
      from: { path: transports },
      to: { path: process },
    },
    {
      name: 'rest-is-a-view',
      comment: 'REST reaches features only through the schema. It shares the weights of documents with GraphQL.',
      severity: 'error',
      from: { path: '^src/transports/rest/' },
      to: {
        path: '^src/',
        pathNot: [platform, '^src/transports/rest/', '^src/transports/graphql/documents/(amount|document-facts)\\.ts$'],
      },
    },
    {
      name: 'graphql-knows-no-other-transport',
      severity: 'error',
      from: { path: '^src/transports/graphql/' },
      to: { path: transports, pathNot: '^src/transports/graphql/' },
    },
    {
      name: 'dashboard-is-a-client',
      comment: 'It depends only on the schema of the service.',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^(src|scripts|test|bench)/', pathNot: '^src/dashboard/' },
    },
    {
      name: 'the-service-knows-no-dashboard',
      comment: 'The service serves the built files.',
      severity: 'error',
      from: { path: '^(src|bench)/', pathNot: '^src/dashboard/' },
      to: { path: '^src/dashboard/' },
    },
    {
      name: 'the-service-needs-no-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench)/' },
    },
    {
      name: 'examples-stand-alone',
      comment: 'A copied folder must be complete: it imports only Node and its own files.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: { pathNot: ['^examples/$1/', '^(node:)?(crypto|fs/promises|http)$'] },
    },
    {
      name: 'one-way-out',
      comment: 'src/platform/http checks the address behind each URL of a user.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/http/' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'one-way-to-the-post',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/mail/' },
      to: { path: 'node_modules/nodemailer/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ships-what-it-imports',
      comment:
        'Packages that the service imports belong in `dependencies`. Those of pages, and those in IN_SERVICE, are bundled when the service is built.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(dashboard|transports/developers/browser)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: `^node_modules/(${IN_SERVICE.join('|')})/`,
      },
    },
    {
      name: 'is-there',
      severity: 'error',
      from: { path: '^(src|test|scripts|examples)/' },
      // Scripts that run the built service import from dist, which does not exist before the first build.
      to: { couldNotResolve: true, pathNot: '^[./]+/dist/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type-only imports count, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default', 'require'],
    },
  },
};
