// Development packages whose code the tarball contains: see docs/decisions/0029-bundled-packages.md.

/**
 * Those in the compiled service. `scripts/bundle-service.mjs` puts what `src` imports of them into dist/vendor, so that an
 * installation has neither them nor their dependencies.
 */
export const IN_SERVICE = [
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  'better-auth',
  'class-validator',
  'graphql-jit',
];

/** Those in the dashboard, GraphiQL, the REST reference or the documentation. */
export const IN_PAGES = [
  '@graphiql/react',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@urql/core',
  '@urql/exchange-graphcache',
  'graphiql',
  'react',
  'react-dom',
  'react-router',
  'swagger-ui-dist',
  'urql',
  'wonka',
];

/**
 * The paths of packages and of all that they depend on.
 * @param packages those of the lock file, by path
 */
export function withDependencies(packages, names) {
  const found = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of found) {
    if (!(path in packages)) throw new Error(`${path} is not in the lock file.`);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path];
    const needed = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    // The loop visits what it adds.
    for (const name of [...Object.keys(dependencies), ...needed]) found.add(resolved(packages, path, name));
  }
  return found;
}

/** Where Node.js finds a package that another one imports: in the closest `node_modules` above it. */
function resolved(packages, from, name) {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    if (`${folder}/node_modules/${name}` in packages) return `${folder}/node_modules/${name}`;
  }
  return `node_modules/${name}`;
}
