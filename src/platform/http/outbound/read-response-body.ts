import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from 'node:zlib';
import { GrowingBuffer } from './growing-buffer.js';
import { OutboundError } from './outbound-error.js';

/**
 * Collects a stream. Beyond `maxBytes` it destroys the stream and its connection. It awaits the promise of `pause` for
 * the size so far before it reads on. @throws OutboundError `too_large`.
 */
export async function readResponseBody(
  stream: Readable,
  maxBytes: number,
  host: string,
  pause: (size: number) => Promise<void> | undefined,
): Promise<Buffer> {
  const body = new GrowingBuffer();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const size = body.size + chunk.length;
    if (size > maxBytes) throw tooLarge(host, maxBytes);
    const pausing = pause(size);
    if (pausing !== undefined) await pausing;
    body.add(chunk);
  }
  return body.content();
}

/** The first `maxBytes` of a stream, and whether there is more: the rest is not read, and the connection is closed. */
export async function readBeginning(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  pause: (size: number) => Promise<void> | undefined,
): Promise<{ body: Buffer; isCut: boolean }> {
  const body = new GrowingBuffer();
  let isCut = false;
  for await (const chunk of stream) {
    const left = maxBytes - body.size;
    const pausing = pause(Math.min(body.size + chunk.length, maxBytes));
    if (pausing !== undefined) await pausing;
    body.add(chunk.subarray(0, left));
    isCut = chunk.length > left;
    if (isCut) break;
  }
  return { body: body.content(), isCut };
}

const DECODERS: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const STREAM_DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A compressed body as a stream of its data: as much is decompressed as is read. Fails as `decodeBody` does. */
export async function* decoded(stream: Readable, coding: string, host: string): AsyncGenerator<Buffer> {
  const decoder = STREAM_DECODERS[coding]!();
  // An error of either stream becomes one of the decoder, and its end destroys both.
  pipeline(stream, decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    throw isZlibError(error) ? invalid(host, coding) : error;
  }
}

function isZlibError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('Z_');
}

function invalid(host: string, coding: string): OutboundError {
  return new OutboundError('invalid_answer', `The response from ${host} is not valid ${coding} data.`);
}

/** Whether `decodeBody` can decompress this coding. */
export function isCompressed(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding);
}

/**
 * Decompresses a body that the server compressed although the request forbade it; unknown codings are left as they are.
 * @throws OutboundError `too_large` as soon as more than `maxBytes` come out, `invalid_answer` for corrupt data.
 */
export async function decodeBody(data: Buffer, coding: string, maxBytes: number, host: string): Promise<Buffer> {
  const decode = isCompressed(coding) ? DECODERS[coding] : undefined;
  if (decode === undefined || data.length === 0) return data;
  try {
    return await decode(data, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(host, maxBytes);
    throw invalid(host, coding);
  }
}

function tooLarge(host: string, maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The response from ${host} is larger than ${maxBytes} bytes.`);
}
