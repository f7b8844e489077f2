import { type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
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

/** The first `maxBytes` of a stream; the rest is not read, and the connection is closed. */
export async function readBeginning(stream: Readable, maxBytes: number): Promise<Buffer> {
  const body = new GrowingBuffer();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    body.add(chunk.subarray(0, maxBytes - body.size));
    if (body.size >= maxBytes) break;
  }
  return body.content();
}

const DECODERS: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

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
    throw new OutboundError('invalid_answer', `The response from ${host} is not valid ${coding} data.`);
  }
}

function tooLarge(host: string, maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The response from ${host} is larger than ${maxBytes} bytes.`);
}
