import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { packageRoot } from '../../platform/package-root.js';
import { revalidated } from '../../platform/pages/revalidated.js';

/** `/schema.graphql`: the emitted schema with its descriptions, without authentication; for code generators. */
export function schemaRouter(): Router {
  const router = Router();
  router.get('/', revalidated('text/plain', readFileSync(join(packageRoot, 'schema/schema.graphql'))));
  return router;
}
