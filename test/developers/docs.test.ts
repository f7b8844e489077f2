import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { basename, join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { buildDocs } from '../dashboard/support/build.js';
import { startTestServer, type TestServer } from '../support/server.js';

const files = [...globSync('docs/reference/*.md', { cwd: packageRoot }), 'docs/catalog.md'];
const pages = files.map((file) => ({ file, path: `/docs/${basename(file, '.md').replace('README', 'reference')}` }));

let server: TestServer;
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.baseUrl + path, { headers });

beforeAll(async () => {
  [server] = await Promise.all([startTestServer(), buildDocs()]);
});
afterAll(() => server.close());

/** The text of a page without its markup. */
function textOf(html: string): string {
  const text = html.replace(/<[^>]*>/g, '');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

describe('the pages of docs/', () => {
  it.each(pages)('$path shows $file whole, named in the list of pages', async ({ path, file }) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const source = readFileSync(join(packageRoot, file), 'utf8');
    const page = await answer.text();
    const article = textOf(/<article>([^]*)<\/article>/.exec(page)![1]!);
    for (const [, heading] of source.matchAll(/^#+ (.*)$/gm)) expect(article).toContain(heading!.replaceAll('`', ''));
    for (const [, code] of source.replace(/```[^]*?```/g, '').matchAll(/`([^`\n]+)`/g))
      expect(article).toContain(code!.replaceAll('\\|', '|'));
    expect(article).not.toMatch(/<!--|^\| /m);
    expect(page).toContain(`<a href="${path}" aria-current="page">`);
  });

  it('hold no link that leads nowhere', async () => {
    const found = new Map<string, string>();
    const textAt = async (path: string): Promise<string> => {
      const answer = await get(path);
      // 503: another part of the build, which these tests do without.
      expect({ path, status: answer.status }).not.toMatchObject({ status: 404 });
      return answer.text();
    };
    for (const { path } of pages) found.set(path, await textAt(path));
    for (const { path } of pages) {
      const text = found.get(path)!;
      const hrefs = [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href!);
      const local = [...new Set(hrefs)].filter((href) => !/^https?:/.test(href));
      expect(local.length).toBeGreaterThan(pages.length);
      for (const href of local) {
        const [target, anchor = ''] = href.split('#');
        const to = target === '' ? path : target!;
        const there = found.get(to) ?? (await textAt(to));
        found.set(to, there);
        if (anchor !== '')
          expect({ path, href, ids: there.split(` id="${anchor}"`).length - 1 }).toMatchObject({ ids: 1 });
      }
    }
  });

  it('run no script, have no style of their own, and cannot be framed', async () => {
    for (const { path } of pages) {
      const answer = await get(path);
      const policy = answer.headers.get('content-security-policy')!;
      for (const rule of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(await answer.text()).not.toMatch(/<script| style=| on\w+=/);
    }
  });

  it('answer 404 for a page that is not there, as any other path', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/README',
      '/docs/limits.md',
      '/docs/constructor',
      '/docs/%2e%2e%2fREADME',
    ]) {
      const answer = await get(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(await answer.text()).toContain('There is no such page.');
    }
  });
});

describe.each(['/docs/catalog', '/docs/docs.css', '/docs/swagger-ui-bundle.js'])('GET %s', (path) => {
  it.each(['br', 'gzip'])('is compressed by %s', async (encoding) => {
    const plain = await get(path, { 'Accept-Encoding': 'identity' });
    const small = await get(path, { 'Accept-Encoding': encoding });
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, encoding]);
    expect(small.headers.get('vary')).toContain('Accept-Encoding');
    const text = await plain.text();
    expect(await small.text()).toBe(text);
    const lengthOf = (answer: Response) => Number(answer.headers.get('content-length'));
    expect(lengthOf(plain)).toBe(Buffer.byteLength(text));
    expect(lengthOf(small)).toBeLessThan(lengthOf(plain) / 2);
  });

  it('is sent once: 304 while it is the same', async () => {
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    // Without `fetch`, which asks for fresh content with any validator of its caller.
    const statusWith = async (validator: string): Promise<number | undefined> => {
      const request = http.get(server.baseUrl + path, { headers: { 'If-None-Match': validator } });
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    expect([await statusWith(etag), await statusWith('W/"another"')]).toEqual([304, 200]);
  });
});
