// Bundles what the compiled service imports of the packages in IN_SERVICE into dist/vendor, and lets dist/src import from
// there: docs/decisions/0029-bundled-packages.md. Also writes their licences into dist/vendor/THIRD-PARTY.md. It may run
// again at any time, also when the compiler has written only some files anew.
import { build } from 'esbuild';
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { IN_SERVICE } from './bundled-packages.mjs';
import { importsIn } from './bundle-service/imports.mjs';
import { thirdParty } from './bundle-service/third-party.mjs';

const root = join(import.meta.dirname, '..');
const vendor = join(root, 'dist/vendor');
const NAMESPACE = 'vendor';
/** CommonJS inside of a module needs Node's `require` for the modules of Node. */
const REQUIRE = `import { createRequire as createVendorRequire } from 'node:module';
const require = createVendorRequire(import.meta.url);`;

const files = globSync('dist/src/**/*.js', { cwd: root }).sort();
const imports = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return importsIn(file, text).flatMap((one) => {
    const specifier = bundledSpecifier(file, one.specifier);
    return specifier === undefined ? [] : [{ ...one, file, specifier }];
  });
});
const missing = IN_SERVICE.filter((name) => !imports.some(({ specifier }) => isOf(name, specifier)));
if (missing.length > 0) throw new Error(`The service imports nothing of ${missing.join(', ')} (IN_SERVICE).`);

const outputs = { ...(await bundle('esm')), ...(await bundle('cjs')) };
for (const file of new Set(imports.map((one) => one.file))) rewrite(file);
writeWhole(join(vendor, 'THIRD-PARTY.md'), thirdParty(root, outputs));
// After the new files are in use, so that a process that starts meanwhile finds either.
const current = new Set(Object.keys(outputs).map((path) => join(root, path)));
for (const file of globSync('**/*.{js,cjs}', { cwd: vendor }).map((name) => join(vendor, name)))
  if (!current.has(file)) rmSync(file);

/** What a file imports by a specifier: the package, also if the import has been rewritten before. Undefined: no bundled one. */
function bundledSpecifier(file, specifier) {
  if (IN_SERVICE.some((name) => isOf(name, specifier))) return specifier;
  if (!specifier.startsWith('.')) return undefined;
  const target = relative(vendor, join(root, dirname(file), specifier));
  return target.startsWith('..') ? undefined : target.replaceAll(sep, '/').replace(/\.c?js$/, '');
}

function isOf(name, specifier) {
  return specifier === name || specifier.startsWith(`${name}/`);
}

/** Modules share their code in chunks, so that each bundled module exists once; what is imported on demand is loaded on demand. */
async function bundle(format) {
  const wanted = imports.filter((one) => (one.kind === 'require') === (format === 'cjs'));
  const specifiers = [...new Set(wanted.map(({ specifier }) => specifier))];
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: specifiers.map((specifier) => ({ in: `${NAMESPACE}:${specifier}`, out: specifier })),
    outdir: vendor,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: format === 'esm',
    format,
    platform: 'node',
    target: 'node22',
    // What is installed anyway exists once, e.g. graphql.
    external: Object.keys(dependencies),
    ...(format === 'esm' ? { banner: { js: REQUIRE } } : { outExtension: { '.js': '.cjs' } }),
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [{ name: NAMESPACE, setup: (at) => entries(at, wanted) }],
  });
  return metafile.outputs;
}

/** The entries: each exports the names that the service imports. */
function entries(esbuild, wanted) {
  const prefix = `${NAMESPACE}:`;
  esbuild.onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path }) => ({
    path: path.slice(prefix.length),
    namespace: NAMESPACE,
  }));
  esbuild.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
    const uses = wanted.filter(({ specifier }) => specifier === path);
    const from = JSON.stringify(path);
    const names = [...new Set(uses.flatMap((one) => one.names ?? []))].sort();
    const contents = uses.some(({ kind }) => kind === 'require')
      ? `module.exports = require(${from});`
      : uses.some((one) => one.names === undefined)
        ? `export * from ${from};`
        : `export { ${names.join(', ')} } from ${from};`;
    return { contents, resolveDir: root };
  });
}

/** Replaces the specifiers in a file; every other byte stays. */
function rewrite(file) {
  const path = join(root, file);
  let text = readFileSync(path, 'utf8');
  // From the end, so that the positions before stay.
  for (const { specifier, kind, start, end } of imports.filter((one) => one.file === file).reverse()) {
    const target = join(vendor, `${specifier}${kind === 'require' ? '.cjs' : '.js'}`);
    const written = relative(dirname(path), target).replaceAll(sep, '/');
    text = `${text.slice(0, start)}'${written}'${text.slice(end)}`;
  }
  if (text !== readFileSync(path, 'utf8')) writeWhole(path, text);
}

/** For processes that load the file at this moment. */
function writeWhole(path, text) {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
