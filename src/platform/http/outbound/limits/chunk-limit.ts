import { type Readable } from 'node:stream';
import { OutboundError } from '../outbound-error.js';

/**
 * Each chunk costs time, however short it is. A response may have this many, plus one for each 64 bytes: servers that
 * stream a text word by word send fewer.
 */
export const FREE_CHUNKS = 65_536;
/** Bytes of a body that permit one further chunk. */
export const BYTES_OF_CHUNK = 64;

/**
 * Destroys a stream that receives too many chunks from now on. Counted as they come: readers get several at once. A short
 * chunk costs as much as one of 64 bytes: `charge` takes what it lacks.
 */
export function limitChunks(stream: Readable, host: string, charge: (bytes: number) => void): void {
  let [chunks, size] = [0, 0];
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null, encoding) => {
    chunks += 1;
    const length = chunk?.length ?? 0;
    size += length;
    if (chunk !== null && length < BYTES_OF_CHUNK) charge(BYTES_OF_CHUNK - length);
    if (chunk === null || chunks <= FREE_CHUNKS + size / BYTES_OF_CHUNK) return push(chunk, encoding);
    stream.destroy(new OutboundError('too_large', `The response from ${host} comes in too many chunks.`));
    return false;
  };
}
