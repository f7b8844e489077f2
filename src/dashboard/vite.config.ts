import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
/** The URL of the running service for `npm run dev:dashboard`. */
const service = 'http://localhost:4000';
const servicePaths = [
  '/auth',
  '/graphql',
  '/graphiql',
  '/docs',
  '/openapi.json',
  '/schema.graphql',
  '/pages',
  '/v1',
  '/sandbox',
  '/oauth',
  '/connect',
];

/**
 * Few chunks instead of one for each shared module. A chunk also takes what its modules import, unless a chunk before it
 * has it: the code of all pages, that of the sign-in page, that of the frame and the overview, and what the others share.
 */
const CHUNKS = [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'sign-in', test: /session\/pages\/sign-in\.page\.tsx$/ },
  { name: 'signed-in', test: /(app\/signed-in-shell|overview\/overview\.page)\.tsx$/ },
  { name: 'shared', minShareCount: 4 },
];

export default defineConfig({
  root,
  base: '/',
  html: { cspNonce: '%CSP_NONCE%' },
  plugins: [colorSchemeScript()],
  build: {
    outDir: join(root, '../../dist/dashboard'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // A data: font or script would need a wider policy; small images may come along.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    // Keeps `light-dark()` and `color-mix()` unchanged.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The styles of one page are too small for a request.
    cssCodeSplit: false,
    rolldownOptions: {
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
  server: {
    proxy: Object.fromEntries(servicePaths.map((path) => [path, { target: service, ws: path === '/graphql' }])),
  },
});

/** The script that sets light or dark before the first paint: a file of its own, since the policy allows none inline. */
function colorSchemeScript(): Plugin {
  const source = join(root, 'app/color-scheme.script.js');
  return {
    name: 'color-scheme-script',
    buildStart() {
      if (this.environment.mode !== 'build') return;
      this.emitFile({ type: 'asset', name: 'color-scheme.js', source: readFileSync(source, 'utf8') });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const emitted = Object.values(bundle ?? {}).find(({ fileName }) => /\/color-scheme-[^/]*\.js$/.test(fileName));
        const src = emitted === undefined ? '/app/color-scheme.script.js' : `/${emitted.fileName}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
