// Bundles src/dashboard into dist/dashboard and adds a brotli and a gzip version of each text, so that serving needs no
// compression.
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const served = join(root, 'dist/dashboard');
// Built in a temporary folder and renamed: a partial build is never served, and a failed one leaves the old files.
const target = join(root, 'dist/dashboard.unfinished');

// Browsers always get React's production build, whatever the service's NODE_ENV is.
process.env.NODE_ENV = 'production';
await build({ configFile: join(root, 'src/dashboard/vite.config.ts'), logLevel: 'warn', build: { outDir: target } });
await Promise.all(globSync('assets/*.{js,css,svg}', { cwd: target }).map(compress));
rmSync(served, { recursive: true, force: true });
renameSync(target, served);

async function compress(file) {
  const text = readFileSync(join(target, file));
  const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } };
  writeFileSync(join(target, `${file}.br`), await promisify(brotliCompress)(text, brotli));
  writeFileSync(join(target, `${file}.gz`), await promisify(gzip)(text, { level: 9 }));
}
