import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { startTestServer, type TestServer } from '../support/server.js';

const LISTED = 'https://app.example';
const OTHER = 'https://evil.example';
const PATHS = ['/v1/workflows', '/graphql', '/graphql/stream'];

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ env: { CORS_ORIGINS: `${LISTED}, https://second.example:8443` } });
  key = await server.key();
});
afterAll(() => server.close());

const call = (method: string, path: string, headers: Record<string, string>, base = server.baseUrl) =>
  fetch(base + path, { method, headers });

const preflight = (origin: string, path: string, base?: string) =>
  call(
    'OPTIONS',
    path,
    {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,idempotency-key,x-request-id',
    },
    base,
  );

/** The headers that pages see, by the reference. */
function documented(): string[] {
  const page = readFileSync(join(packageRoot, 'docs/reference/requests.md'), 'utf8');
  const [, names = ''] = /They see the headers\s([^.]+) of a response\./.exec(page) ?? [];
  return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!.toLowerCase());
}

const words = (headers: Headers, name: string) =>
  (headers.get(name) ?? '').split(',').map((word) => word.trim().toLowerCase());

function grantsNothing({ headers }: Response) {
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

describe.each(PATHS)('a page that calls %s', (path) => {
  it.each([LISTED, 'https://second.example:8443'])(
    'gets its preflight from %s answered before any key',
    async (origin) => {
      const { status, headers } = await preflight(origin, path);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(words(headers, 'access-control-allow-methods')).toEqual(
        expect.arrayContaining(['get', 'post', 'put', 'delete']),
      );
      expect(words(headers, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'x-request-id']),
      );
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(words(headers, 'vary')).toContain('origin');
    },
  );

  it.each([
    OTHER,
    'https://app.example:444',
    'http://app.example',
    'https://app.example.evil.example',
    'https://APP.example',
    'null',
  ])('gets nothing from %s', async (origin) => {
    grantsNothing(await preflight(origin, path));
    const answer = await call('GET', path, { origin, authorization: `Bearer ${key}` });
    grantsNothing(answer);
    expect(words(answer.headers, 'vary')).toContain('origin');
  });

  it('can read a 401, and which headers it may look at: those that the reference lists', async () => {
    const { status, headers } = await call('GET', path, { origin: LISTED });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, LISTED]);
    expect(words(headers, 'access-control-expose-headers')).toEqual(documented());
  });

  it('varies for caches although the request names no origin', async () => {
    const answer = await call('GET', path, { authorization: `Bearer ${key}` });
    grantsNothing(answer);
    expect(words(answer.headers, 'vary')).toContain('origin');
  });
});

describe('a page of a listed origin', () => {
  it('can call /v1 and /graphql with a key', async () => {
    const headers = { origin: LISTED, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const listed = await call('GET', '/v1/workflows', headers);
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, LISTED]);
    const asked = await fetch(`${server.baseUrl}/graphql`, {
      method: 'POST',
      headers,
      body: '{"query":"{__typename}"}',
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, LISTED]);
  });

  it('can read refusals of all kinds', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['PATCH', '/v1/workflows'],
      ['POST', '/v1/workflows'],
      ['GET', '/v1/workflows/nonsense'],
    ] as const) {
      const { status, headers } = await call(method, path, { origin: LISTED, authorization: `Bearer ${key}` });
      expect([path, status >= 400, headers.get('access-control-allow-origin')]).toEqual([path, true, LISTED]);
    }
  });

  it.each(PATHS)('may send any headers to %s, as long as they are few and well-formed', async (path) => {
    const granted = async (requested: string) => {
      const { headers } = await call('OPTIONS', path, {
        origin: LISTED,
        'access-control-request-method': 'POST',
        'access-control-request-headers': requested,
      });
      return headers.get('access-control-allow-headers') ?? '';
    };
    for (const names of ['traceparent,sentry-trace,apollo-require-preflight', 'x-1', `x-${'a'.repeat(62)}`]) {
      expect(await granted(names)).toBe(names);
    }
    const many = Array.from({ length: 21 }, (_, index) => `x-${index}`);
    expect(words(new Headers({ names: await granted(many.slice(1).join(',')) }), 'names')).toEqual(many.slice(1));
    for (const names of [many.join(','), `x-${'a'.repeat(63)}`, 'x y', 'x-ok,,x'])
      expect(await granted(names)).toBe('');
  });

  it.each(PATHS)(
    'of another origin learns nothing from its preflight of %s; the first in an hour is logged',
    async (path) => {
      const origin = `https://${path.replaceAll('/', '-').slice(1)}.unlisted.example`;
      const asked = () => server.logs.filter((line) => line.includes(origin) && line.includes('CORS_ORIGINS')).length;
      for (let time = 0; time < 3; time += 1) {
        const answer = await preflight(origin, path);
        expect([answer.status, await answer.text()]).toEqual([204, '']);
        grantsNothing(answer);
      }
      expect(asked()).toBe(1);
      await server.advance(3_600_000);
      await preflight(origin, path);
      expect(asked()).toBe(2);
    },
  );

  it('of another origin is told from others by its first 255 characters, so that long ones fill no memory', async () => {
    const origin = `https://${'long-'.repeat(50)}`;
    for (const end of ['a.example', 'b.example']) await preflight(origin + end, '/v1/workflows');
    expect(server.logs.filter((line) => line.includes(origin.slice(0, 255)))).toHaveLength(1);
  });

  it('may call neither hooks nor pages', async () => {
    for (const path of ['/hooks/x', '/events/x', '/livez', '/', '/oauth/callback/sandbox_oauth']) {
      grantsNothing(await call('GET', path, { origin: LISTED }));
      grantsNothing(await preflight(LISTED, path));
    }
  });
});

describe('without CORS_ORIGINS', () => {
  it('no origin may call', async () => {
    const closed = await startTestServer();
    try {
      for (const path of PATHS) {
        for (const origin of [LISTED, 'null', closed.baseUrl]) {
          grantsNothing(await preflight(origin, path, closed.baseUrl));
          grantsNothing(await call('GET', path, { origin }, closed.baseUrl));
        }
      }
    } finally {
      await closed.close();
    }
  });
});

describe('OPTIONS that is no preflight', () => {
  it('is refused like any other method', async () => {
    expect((await call('OPTIONS', '/v1/workflows', {})).status).toBe(401);
    const { status, headers } = await call('OPTIONS', '/v1/workflows', { authorization: `Bearer ${key}` });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});
