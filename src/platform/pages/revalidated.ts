import { type RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const ENCODERS: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content) => promisify(gzip)(content),
};

/**
 * Serves content whose address stays while it changes between versions of the service: browsers revalidate it by its
 * ETag, and most responses are 304. It is compressed once per encoding, off the event loop.
 */
export function revalidated(type: string, content: Buffer): RequestHandler {
  // Weak: the same content in each encoding.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  const encoded = new Map<string, Promise<Buffer>>();
  return async (request, response) => {
    response.vary('Accept-Encoding');
    response.set({ ETag: etag, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }).type(type);
    if (request.fresh) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip');
    const encode = encoding === false ? undefined : ENCODERS[encoding];
    if (encoding === false || encode === undefined) return void response.send(content);
    const body = encoded.get(encoding) ?? encode(content);
    encoded.set(encoding, body);
    // A failure is not kept for later requests.
    body.catch(() => encoded.delete(encoding));
    response.set('Content-Encoding', encoding).send(await body);
  };
}
