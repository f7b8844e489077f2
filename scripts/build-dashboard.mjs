// Bundles src/dashboard into dist/dashboard and lays a brotli and a gzip form beside each text, so that serving costs nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/dashboard');

// Whatever the service is started as, browsers get React's production form.
process.env.NODE_ENV = 'production';
await build({ configFile: join(root, 'src/dashboard/vite.config.ts'), logLevel: 'warn' });
await Promise.all(globSync('assets/*.{js,css,svg}', { cwd: target }).map(compress));

async function compress(file) {
  const text = readFileSync(join(target, file));
  const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } };
  writeFileSync(join(target, `${file}.br`), await promisify(brotliCompress)(text, brotli));
  writeFileSync(join(target, `${file}.gz`), await promisify(gzip)(text, { level: 9 }));
}
