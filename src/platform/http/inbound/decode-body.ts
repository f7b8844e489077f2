import { type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError } from '../../errors.js';

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Decodes a body whose memory is reserved, to at most `limit` bytes. */
type BodyDecoder = (body: Buffer, limit: number) => Promise<Buffer>;

/**
 * The decoder for the `Content-Encoding` of a request; undefined without one. @throws AppError `unsupported_media_type`
 * for any but one of gzip, deflate and br.
 */
export function bodyDecoder({ headers }: IncomingMessage): BodyDecoder | undefined {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return undefined;
  const decode = DECODERS.get(coding);
  if (decode === undefined) {
    throw new AppError('unsupported_media_type', 'Send the body without a content coding, or in gzip, deflate or br.');
  }
  return async (body, limit) => {
    try {
      return await decode(body, { maxOutputLength: limit });
    } catch (error) {
      throw refusalOf(error, limit);
    }
  };
}

function refusalOf(error: unknown, limit: number): AppError {
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
    return new AppError('payload_too_large', `The decoded body may have at most ${limit.toLocaleString('en')} bytes.`);
  }
  return new AppError('invalid_json', 'The body is not valid in its content coding.', { cause: error });
}
