import { type ServerResponse } from 'node:http';
import { constants, gzip } from 'node:zlib';
import accepts from 'accepts';
import { type Answer } from '../../admission/answers.js';

/** Texts of fewer bytes are sent as they are: the headers of a compressed one would take what it saves. */
const COMPRESSED_FROM = 1_024;
/** The fastest level makes JSON about a fifth as long; others take several times as long for a tenth of that. */
const FASTEST = { level: constants.Z_BEST_SPEED };

/**
 * Sends the text of a body, and only its headers to HEAD. A longer text is compressed, off the event loop, if the client
 * accepts gzip (RFC 9110, 12.5.3). `answer` counts the bytes until they are sent.
 */
export function sendText(response: ServerResponse, text: string, answer?: Answer): void {
  const bytes = Buffer.byteLength(text);
  if (bytes >= COMPRESSED_FROM) response.appendHeader('vary', 'Accept-Encoding');
  const isPlain = bytes < COMPRESSED_FROM || response.req.method === 'HEAD';
  if (isPlain || accepts(response.req).encoding(['gzip']) !== 'gzip') return end(response, text, bytes, answer);
  gzip(text, FASTEST, (error, compressed) => {
    if (error !== null) return end(response, text, bytes, answer);
    response.setHeader('content-encoding', 'gzip');
    end(response, compressed, compressed.length, answer);
  });
}

function end(response: ServerResponse, body: string | Buffer, bytes: number, answer: Answer | undefined): void {
  response.setHeader('content-length', bytes);
  response.end(response.req.method === 'HEAD' ? undefined : body);
  answer?.sent(bytes, response.writableLength > 0);
}
