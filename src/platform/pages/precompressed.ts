import { type RequestHandler, static as serveFiles } from 'express';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const YEAR = 365 * 24 * 3600 * 1000;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
};
/** A path of plain names, none of which begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w-][\w.-]*)*\.(\w+)$/;

/**
 * Serves files whose addresses contain a digest of their content, so they may be cached forever. Sends `x.js.br` or
 * `x.js.gz` instead of `x.js` where that file exists and the browser accepts it (`scripts/precompress.mjs`).
 */
export function precompressed(folder: string): RequestHandler {
  const files = serveFiles(folder, {
    immutable: true,
    maxAge: YEAR,
    index: false,
    redirect: false,
    setHeaders: (response) => void response.setHeader('X-Content-Type-Options', 'nosniff'),
  });
  return (request, response, next) => {
    const { path } = request;
    const type = TYPES[PLAIN_PATH.exec(path)?.[1] ?? ''];
    if (type === undefined) {
      files(request, response, next);
      return;
    }
    response.vary('Accept-Encoding');
    const encoding = request.acceptsEncodings('br', 'gzip');
    const suffix = encoding === 'br' ? '.br' : encoding === 'gzip' ? '.gz' : '';
    if (suffix !== '' && existsSync(join(folder, path + suffix))) {
      response.set({ 'Content-Encoding': String(encoding), 'Content-Type': type });
      request.url = path + suffix;
    }
    files(request, response, next);
  };
}
