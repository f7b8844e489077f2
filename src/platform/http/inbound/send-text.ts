import { type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, type ZlibOptions } from 'node:zlib';
import accepts from 'accepts';
import { type Answer } from '../../admission/answers.js';

/** Texts of fewer bytes are sent as they are: the headers of a compressed one would take what it saves. */
const COMPRESSED_FROM = 1_024;
/** The fastest level makes JSON about a fifth as long; others take several times as long for a tenth of that. */
const FASTEST = { level: constants.Z_BEST_SPEED, chunkSize: 65_536 };

const gzipped = promisify(gzip) as (text: string, options: ZlibOptions) => Promise<Buffer>;

/** The text of a body: in one piece, or a long one in several. */
export type BodyText = string | readonly Buffer[];

/**
 * Sends the text of a body, and only its headers to HEAD. A longer text is compressed, off the event loop, if the client
 * accepts gzip (RFC 9110, 12.5.3). `answer` counts the bytes until they are sent.
 */
export function sendText(response: ServerResponse, text: BodyText, answer?: Answer): void {
  const bytes = bytesOf(text);
  if (bytes >= COMPRESSED_FROM) response.appendHeader('vary', 'Accept-Encoding');
  const isPlain = bytes < COMPRESSED_FROM || response.req.method === 'HEAD';
  if (isPlain || accepts(response.req).encoding(['gzip']) !== 'gzip') return end(response, text, answer);
  void compressed(text).then(
    (pieces) => {
      response.setHeader('content-encoding', 'gzip');
      end(response, pieces, answer);
    },
    () => end(response, text, answer),
  );
}

async function compressed(text: BodyText): Promise<readonly Buffer[]> {
  if (typeof text === 'string') return [await gzipped(text, FASTEST)];
  const parts: Buffer[] = [];
  await pipeline(text, createGzip(FASTEST), async (source: AsyncIterable<Buffer>) => {
    for await (const part of source) parts.push(part);
  });
  return parts;
}

function bytesOf(text: BodyText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.reduce((sum, { length }) => sum + length, 0);
}

function end(response: ServerResponse, text: BodyText, answer: Answer | undefined): void {
  const bytes = bytesOf(text);
  response.setHeader('content-length', bytes);
  if (response.req.method === 'HEAD') response.end();
  else if (typeof text === 'string') response.end(text);
  else {
    response.cork();
    for (const piece of text) response.write(piece);
    response.end();
  }
  answer?.sent(bytes, response.writableLength > 0);
}
