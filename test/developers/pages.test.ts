import express from 'express';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { docsRouter } from '../../src/transports/developers/docs.router.js';
import { graphiqlRouter } from '../../src/transports/developers/graphiql.router.js';
import { referenceRouter } from '../../src/transports/developers/reference.router.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { pageAssetsRouter } from '../../src/platform/pages/assets.router.js';
import { buildDocs, buildGraphiql } from '../dashboard/support/build.js';
import { scratchFolder } from '../support/scratch.js';

let server: Server;
let origin: string;
const folder = scratchFolder();
const built = join(folder, 'pages.json');

beforeAll(async () => {
  await Promise.all([buildGraphiql(), buildDocs()]);
  const app = express();
  app.use('/pages', pageAssetsRouter());
  app.use('/graphiql', graphiqlRouter({ baseUrl: 'https://flows.example' }));
  app.use('/docs', referenceRouter());
  app.use('/docs', docsRouter(built));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** The addresses of scripts, styles and images of a page. */
async function filesOf(path: string): Promise<string[]> {
  const page = await (await fetch(origin + path)).text();
  return [...page.matchAll(/<(?:script|link|img)[^>]*?(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
}

describe.each(['/graphiql', '/docs'])('GET %s', (path) => {
  it('loads nothing from another host', async () => {
    const files = await filesOf(path);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file).toMatch(/^\/(?!\/)/);
  });

  it('names only files that are there, of the right type', async () => {
    for (const file of await filesOf(path)) {
      const answer = await fetch(origin + file);
      expect({ file, status: answer.status }).toEqual({ file, status: 200 });
      expect(answer.headers.get('content-type')).toMatch(/javascript|css|svg/);
      expect(answer.headers.get('etag')).not.toBeNull();
    }
  });

  it('runs no inline script and can not be framed', async () => {
    const answer = await fetch(origin + path);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect((await answer.text()).match(/<script(?![^>]* src=")/g)).toBeNull();
  });
});

describe('the files of the pages', () => {
  it('may be kept for ever, since their addresses change with them', async () => {
    for (const file of (await filesOf('/docs')).filter((name) => name.startsWith('/pages/'))) {
      expect(file).toMatch(/\?v=[\w-]{12}$/);
      expect((await fetch(origin + file)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('do not include what lies beside them in a package', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/fetcher.js', '/pages/../page.ts']) {
      expect({ path, status: (await fetch(origin + path)).status }).toEqual({ path, status: 404 });
    }
  });
});

describe('the files of GraphiQL', () => {
  const scripts = async () => (await filesOf('/graphiql')).filter((file) => /\.(js|css)$/.test(file));
  const onDisk = (file: string) => readFileSync(join(packageRoot, 'dist', file));

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('come as they were compressed once with %s', async (encoding, decompress) => {
    const files = await scripts();
    expect(files).toHaveLength(2);
    for (const file of files) {
      const answer = await fetch(origin + file, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
      const compressed = onDisk(`${file}.${encoding === 'br' ? 'br' : 'gz'}`);
      expect(Number(answer.headers.get('content-length'))).toBe(compressed.length);
      expect(decompress(compressed).equals(onDisk(file))).toBe(true);
      expect(Buffer.from(await answer.arrayBuffer()).equals(onDisk(file))).toBe(true);
    }
  });

  it('come plain to a client that accepts no compression, and are cached like the others', async () => {
    const [file] = await scripts();
    const answer = await fetch(origin + file!, { headers: { 'accept-encoding': 'identity' } });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await answer.arrayBuffer()).equals(onDisk(file!))).toBe(true);
  });

  it('have addresses of their own in each version', async () => {
    for (const file of await scripts()) expect(file).toMatch(/^\/graphiql\/[0-9a-f]{16}\/[\w-]+\.\w+$/);
    expect((await fetch(`${origin}/graphiql/%2e%2e/build.json`)).status).toBe(404);
  });
});

describe('the pages of docs/', () => {
  it('say that they are not built, until they are', async () => {
    const before = await fetch(`${origin}/docs/limits`);
    expect([before.status, await before.text()]).toEqual([503, expect.stringContaining('npm run build')]);
    const page = { path: 'limits', label: 'Limits', title: 'Limits', sections: [], html: '<h1>Limits</h1>' };
    writeFileSync(built, JSON.stringify([page]));
    const after = await fetch(`${origin}/docs/limits`);
    expect([after.status, await after.text()]).toEqual([200, expect.stringContaining('<h1>Limits</h1>')]);
  });
});
