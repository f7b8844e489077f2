// Bundles GraphiQL and the workers of its editor from node_modules into dist/graphiql/<digest>/, so that the page needs
// no other host, and adds a brotli and a gzip version of each file. The digest covers all inputs: an unchanged bundle is
// not built again.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { precompress } from './precompress.mjs';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src/transports/developers/browser');
const target = join(root, 'dist/graphiql');
/** For 8 MB the highest quality would delay the first start by ten seconds. */
const BROTLI_QUALITY = 9;

function digestOfInputs() {
  const hash = createHash('sha256');
  const inputs = [
    import.meta.filename,
    join(import.meta.dirname, 'precompress.mjs'),
    join(root, 'package-lock.json'),
    ...globSync(`${source}/*`).sort(),
  ];
  for (const file of inputs) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

const digest = digestOfInputs();
const folder = join(target, digest);
if (!existsSync(join(target, 'manifest.json')) || !existsSync(folder)) await bundle();
writeFileSync(join(target, 'manifest.json'), `${JSON.stringify({ folder: digest })}\n`);

async function bundle() {
  rmSync(target, { recursive: true, force: true });
  const unfinished = join(target, 'unfinished');
  mkdirSync(unfinished, { recursive: true });
  const options = {
    absWorkingDir: root,
    outdir: unfinished,
    bundle: true,
    minify: true,
    target: 'es2022',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.ttf': 'file' },
    legalComments: 'linked',
    logLevel: 'warning',
  };
  await Promise.all([
    build({ ...options, entryPoints: { graphiql: join(source, 'graphiql.js') }, format: 'esm', splitting: true }),
    build({
      ...options,
      entryPoints: {
        'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
        'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
        'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
      },
      format: 'iife',
    }),
  ]);
  await precompress(unfinished, BROTLI_QUALITY);
  renameSync(unfinished, folder);
}
