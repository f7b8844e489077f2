import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { packageRoot } from '../../../platform/package-root.js';

/** `/openapi.json`: the emitted document, without authentication. `check` fails when it is stale. */
export function openApiRouter(): Router {
  const text = readFileSync(join(packageRoot, 'schema/openapi.json'), 'utf8');
  const router = Router();
  router.get('/openapi.json', (_request, response) => void response.type('json').send(text));
  return router;
}
