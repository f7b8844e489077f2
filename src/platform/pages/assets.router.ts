import { Router, static as serveFiles } from 'express';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

const FOLDER = join(packageRoot, 'src/platform/pages/assets');
const YEAR = 365 * 24 * 3600 * 1000;
const addresses = new Map<string, string>();

/**
 * The path of a file of `src/platform/pages/assets`, with its digest, so that it may be cached forever. @throws Error
 * when it does not exist.
 */
export function assetUrl(file: string): string {
  let address = addresses.get(file);
  if (address === undefined) {
    const digest = createHash('sha256')
      .update(readFileSync(join(FOLDER, file)))
      .digest('base64url')
      .slice(0, 12);
    address = `/pages/${file}?v=${digest}`;
    addresses.set(file, address);
  }
  return address;
}

/** The style, icon and scripts of the plain pages. To be mounted at `/pages`. */
export function pageAssetsRouter(): Router {
  const router = Router();
  router.use(serveFiles(FOLDER, { immutable: true, maxAge: YEAR, index: false, redirect: false }));
  return router;
}
