// Bundles src/dashboard into dist/dashboard and adds a brotli and a gzip version of each text, so that serving needs no
// compression.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { precompress } from './precompress.mjs';

const root = join(import.meta.dirname, '..');
const served = join(root, 'dist/dashboard');
// Built in a temporary folder and renamed: a partial build is never served, and a failed one leaves the old files.
const target = join(root, 'dist/dashboard.unfinished');

// Browsers always get React's production build, whatever the service's NODE_ENV is.
process.env.NODE_ENV = 'production';
await build({ configFile: join(root, 'src/dashboard/vite.config.ts'), logLevel: 'warn', build: { outDir: target } });
await precompress(join(target, 'assets'));
rmSync(served, { recursive: true, force: true });
renameSync(target, served);
