import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { packageRoot } from '../../platform/package-root.js';

/** `/schema.graphql`: the emitted schema with its descriptions, without authentication; for code generators. */
export function schemaRouter(): Router {
  const text = readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8');
  const router = Router();
  router.get('/', (_request, response) => void response.type('text/plain').send(text));
  return router;
}
