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
 * Serves files whose names hold a digest of their content, so that they may be cached for ever; where `x.js.br` or
 * `x.js.gz` lies beside `x.js` and the browser takes it, that one.
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
