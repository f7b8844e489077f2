import { type IncomingMessage } from 'node:http';
import { AppError } from '../errors.js';
import { exceedsDepth } from '../json-depth.js';
import { MAX_JSON_LEVELS } from '../scalars.js';

/** The most bytes of a REST or GraphQL body. */
export const MAX_BODY_BYTES = 102_400;

/** A request as Express hands it on: `body` is there when a parser ran before us. */
export type InboundRequest = IncomingMessage & { body?: unknown };

/**
 * The raw bytes of a request, at most `limit`. What is beyond is read and dropped, so that the client gets to read the
 * answer. @throws AppError `payload_too_large`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(request, limit);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(tooLarge(request.removeAllListeners('data'), limit));
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new AppError('invalid_json', 'The request ended before its body did.')));
  });
}

/**
 * The JSON body of a request to REST or GraphQL; undefined when it has none. Takes what a parser in front of us left
 * in `request.body` instead of reading again, which would wait for ever.
 * @throws AppError `payload_too_large`, `unsupported_media_type`, `invalid_json` or `validation_error` (too deep).
 */
export async function readJson(request: InboundRequest): Promise<unknown> {
  if (request.body !== undefined && request.readableDidRead) return request.body;
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge(request, MAX_BODY_BYTES);
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
  const bytes = await readBody(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  if (!isJson) throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  return parseJson(bytes);
}

/** A JSON text of at most 200 levels. @throws AppError `invalid_json` or `validation_error`. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (exceedsDepth(text, MAX_JSON_LEVELS)) {
    throw new AppError('validation_error', `The body may be nested ${MAX_JSON_LEVELS} levels deep.`, {
      details: [{ field: 'body', message: `may be nested ${MAX_JSON_LEVELS} levels deep` }],
    });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.');
  }
}

/** JSON is UTF-8 (RFC 8259, 8.1): other bytes are refused, not replaced. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON: it is not UTF-8.');
  }
}

function tooLarge(request: IncomingMessage, limit: number): AppError {
  request.resume();
  return new AppError('payload_too_large', `The body may have at most ${limit.toLocaleString('en')} bytes.`);
}
