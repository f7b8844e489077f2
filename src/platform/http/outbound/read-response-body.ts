import { type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GrowingBuffer } from './growing-buffer.js';
import { OutboundError } from './outbound-error.js';

/**
 * Collects a stream; past `maxBytes` destroys it, and with it the connection. What `pause` gives for the size so far is
 * waited for, and nothing is read meanwhile. @throws OutboundError `too_large`.
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

/** The first `maxBytes` of a stream; what is beyond is not read, and the connection goes. */
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

/** True for what `decodeBody` inflates. */
export function isCompressed(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding);
}

/**
 * Inflates what a server compressed although it was asked not to; other codings stay as they are.
 * @throws OutboundError `too_large` as soon as more than `maxBytes` come out, `invalid_answer` for broken data.
 */
export async function decodeBody(data: Buffer, coding: string, maxBytes: number, host: string): Promise<Buffer> {
  const decode = isCompressed(coding) ? DECODERS[coding] : undefined;
  if (decode === undefined || data.length === 0) return data;
  try {
    return await decode(data, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(host, maxBytes);
    throw new OutboundError('invalid_answer', `The answer from ${host} is not the ${coding} data that it says.`);
  }
}

function tooLarge(host: string, maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The answer from ${host} is larger than ${maxBytes} bytes.`);
}
