import { type RequestHandler, static as serveFiles } from 'express';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const YEAR = 365 * 24 * 3600 * 1000;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Serves files whose names contain a digest of their content, so they may be cached forever. Sends `x.js.br` or
 * `x.js.gz` instead of `x.js` where that file exists and the browser accepts it.
 */
export function precompressed(folder: string): RequestHandler {
  const files = serveFiles(folder, {
    immutable: true,
    maxAge: YEAR,
    index: false,
    redirect: false,
    setHeaders: (res) => void res.setHeader('X-Content-Type-Options', 'nosniff'),
  });
  return (req, res, next) => {
    const [, name = '', extension = ''] = /^\/([\w.-]+\.(\w+))$/.exec(req.path) ?? [];
    const type = TYPES[extension];
    if (type === undefined) {
      files(req, res, next);
      return;
    }
    res.vary('Accept-Encoding');
    const encoding = req.acceptsEncodings('br', 'gzip');
    const suffix = encoding === 'br' ? '.br' : encoding === 'gzip' ? '.gz' : '';
    if (suffix !== '' && existsSync(join(folder, name + suffix))) {
      res.set({ 'Content-Encoding': String(encoding), 'Content-Type': type });
      req.url = `/${name}${suffix}`;
    }
    files(req, res, next);
  };
}
