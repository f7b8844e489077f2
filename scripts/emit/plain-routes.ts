import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { sourceFiles } from './sources.js';
import { whoHas } from './who-has.js';

/** A URL outside `/v1`, and the file that serves it. */
export interface PlainRoute {
  method: string;
  path: string;
  file: string;
}

/** Routes that `gateway/handler.ts` serves without Express. */
const DIRECT: readonly PlainRoute[] = [
  { method: 'any', path: '/v1/integrations/:id/proxy/*', file: 'src/transports/proxy/proxy.router.ts' },
  { method: 'POST', path: '/graphql', file: 'src/transports/graphql/graphql.router.ts' },
  { method: 'GET', path: '/graphql (WebSocket)', file: 'src/transports/graphql/subscriptions/subscriptions.ws.ts' },
  { method: 'GET, POST', path: '/graphql/stream', file: 'src/transports/graphql/subscriptions/subscriptions.sse.ts' },
  { method: 'POST', path: '/hooks/:token', file: 'src/features/triggers/hooks/inbound-hook.router.ts' },
  { method: 'POST', path: '/events/:token', file: 'src/features/triggers/app-events/app-event.router.ts' },
  { method: 'GET', path: '/events/:token', file: 'src/features/triggers/app-events/app-event.router.ts' },
];

/** The permitted callers by prefix of the path; the first match counts. */
const WHO: readonly (readonly [string, string])[] = [
  ['/v1/', whoHas('write')],
  ['/graphql', whoHas('read', 'follow', 'person')],
  ['/graphiql', 'anyone'],
  ['/hooks/', 'the token in the address'],
  ['/events/', 'the token in the address'],
  ['/connect/waits/', 'the token in the address'],
  ['/connect/', 'the ticket in the address'],
  ['/oauth/callback/', 'an open `state`'],
  ['/metrics', '`METRICS_TOKEN`, or anyone outside production'],
  ['/sandbox', 'outside production'],
];

/** The permitted callers of a path outside REST. */
export function whoMay(path: string): string {
  return WHO.find(([beginning]) => path.startsWith(beginning))?.[1] ?? 'anyone';
}

/** The routes of the plain routers, read from their sources: `gateway/pages.ts` mounts each on one line. */
export function plainRoutes(): PlainRoute[] {
  const pages = read('src/transports/gateway/pages.ts');
  const mounted = [...pages.matchAll(/app\.use\('([^']+)', (\w+Router)\(/g)].flatMap(([, mount, router]) =>
    routesOf(router!, mount === '/' ? '' : mount!),
  );
  if (mounted.length === 0) throw new Error('No router was found in src/transports/gateway/pages.ts.');
  return [...DIRECT, ...mounted];
}

/** The routes of a router, including those of `router.use(otherRouter(…), …)`. */
function routesOf(router: string, mount: string): PlainRoute[] {
  const file = sourceFiles('.router.ts').find((name) => read(name).includes(`export function ${router}(`));
  if (file === undefined) throw new Error(`No file exports ${router}.`);
  const source = read(file);
  const own = [...source.matchAll(/router\.(get|post|put|delete|all)\(\s*['`]([^'`]+)['`]/g)].map(
    ([, method, path]) => ({
      method: method === 'all' ? 'any' : method!.toUpperCase(),
      path: mount + path!.replace('${file}', ':file').replace(/^\/$/, mount === '' ? '/' : ''),
      file,
    }),
  );
  const statics = [...source.matchAll(/router\.use\((?:'([^']+)', )?(?:serveFiles|precompressed)\(/g)].map(
    ([, folder = '']) => ({ method: 'GET', path: `${mount}${folder}/:file`, file }),
  );
  const inner = [...source.matchAll(/router\.use\(([^;]*)\);/g)].flatMap(([, list]) =>
    [...list!.matchAll(/(\w+Router)\(/g)].flatMap(([, name]) => routesOf(name!, mount)),
  );
  return [...own, ...statics, ...inner];
}

function read(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}
