import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { lazy } from '../../../platform/lazy.js';
import { packageRoot } from '../../../platform/package-root.js';
import { revalidated } from '../../../platform/pages/revalidated.js';

/**
 * `/openapi.json`: the emitted document with the public URL of the service, without authentication. `check` fails when
 * the emitted one is stale.
 */
export function openApiRouter(baseUrl: string): Router {
  const document = lazy(() => {
    const emitted = JSON.parse(readFileSync(join(packageRoot, 'schema/openapi.json'), 'utf8')) as object;
    const text = JSON.stringify({ ...emitted, servers: [{ url: `${baseUrl}/v1` }] }, null, 2);
    return revalidated('application/json', Buffer.from(text));
  });
  const router = Router();
  router.get('/', (request, response, next) => document()(request, response, next));
  return router;
}
