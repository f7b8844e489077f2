import express from 'express';
import { existsSync, readFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DASHBOARD_ADDRESSES, dashboardRouter } from '../../../src/transports/gateway/dashboard.router.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { buildDashboard } from '../support/build.js';

let server: Server;
let origin: string;

beforeAll(async () => {
  await buildDashboard();
  const app = express();
  app.use('/', dashboardRouter({ baseUrl: 'https://flows.example' }));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const script = async (): Promise<string> =>
  /<script type="module"[^>]* src="([^"]+)"/.exec(await (await fetch(`${origin}/`)).text())![1]!;

describe('the dashboard’s page', () => {
  it.each(DASHBOARD_ADDRESSES)('is answered at %s', async (address) => {
    const answer = await fetch(origin + address.replace(/:\w+/g, 'x'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/sign-on', '/workflows/x/y', '/settings/x', '/assets', '/index.html', '/assets/../index.html'])(
    'is not answered at %s',
    async (address) => {
      expect((await fetch(origin + address)).status).toBe(404);
    },
  );

  it('has a strict policy, with a nonce for style elements that no second answer has', async () => {
    const [first, second] = await Promise.all([fetch(`${origin}/`), fetch(`${origin}/`)]);
    const policy = first.headers.get('content-security-policy')!;
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    expect(policy).toBe(
      [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self' https://flows.example wss://flows.example",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
    );
    expect(await first.text()).toContain(`nonce="${nonce}"`);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    const text = await second.text();
    expect(text).not.toMatch(/%[A-Z_]+%/);
    expect(text).toContain('<meta name="service-origin" content="https://flows.example"');
  });

  it('has no script and no style in itself', async () => {
    const text = await (await fetch(`${origin}/`)).text();
    expect(text.match(/<script(?![^>]* src=")/g)).toBeNull();
    expect(text).not.toMatch(/<style| style="| on\w+="/);
  });
});

describe('the dashboard’s files', () => {
  it('may be kept for ever', async () => {
    const answer = await fetch(origin + (await script()));
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('come as they were compressed once with %s', async (encoding, decompress) => {
    const path = await script();
    const answer = await fetch(origin + path, { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    const file = join(packageRoot, 'dist/dashboard', path);
    const compressed = readFileSync(`${file}.${encoding === 'br' ? 'br' : 'gz'}`);
    expect(Number(answer.headers.get('content-length'))).toBe(compressed.length);
    expect(decompress(compressed).equals(readFileSync(file))).toBe(true);
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(file))).toBe(true);
  });

  it('come plain to who takes nothing else', async () => {
    const answer = await fetch(origin + (await script()), { headers: { 'accept-encoding': 'identity' } });
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  it('are not shown beside the assets', async () => {
    expect(existsSync(join(packageRoot, 'dist/dashboard/.vite/manifest.json'))).toBe(true);
    for (const path of ['/.vite/manifest.json', '/assets/.vite/manifest.json', '/assets/%2e%2e/index.html']) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
  });
});
