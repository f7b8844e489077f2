import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../../platform/errors.js';
import { declaredLength, readRequestBody, tooLarge } from '../../platform/http/inbound/inbound-body.js';
import { InboundMessage } from '../../platform/http/inbound/inbound-message.js';

/** The maximum of a request that is passed on, in bytes. */
export const MAX_PROXIED_BODY_BYTES = 5 * 1_048_576;
/** A body of at most this size, declared, is read first, in bytes: it can be sent again with a renewed token. */
const REPEATABLE_BYTES = 65_536;

/** The body of a request to pass on. */
export interface ProxiedBody {
  body: Uint8Array | Readable | undefined;
  /** Undefined if it is not declared. */
  length: number | undefined;
  /** Why the service has stopped to read a stream; undefined if it has not. */
  fault: () => AppError | undefined;
}

/** @throws AppError `payload_too_large` for a body that is declared too long. */
export function demandShort(request: IncomingMessage): void {
  if (declaredLength(request) > MAX_PROXIED_BODY_BYTES) throw tooLarge(MAX_PROXIED_BODY_BYTES);
}

/** @throws AppError `invalid_json` if the client leaves before the end of a short body. */
export async function proxiedBodyOf(request: IncomingMessage): Promise<ProxiedBody> {
  const length = declaredLength(request);
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (!isChunked && length <= REPEATABLE_BYTES) {
    const body = length === 0 ? undefined : await readRequestBody(request, REPEATABLE_BYTES);
    return { body, length, fault: () => undefined };
  }
  let fault: AppError | undefined;
  const note = (error: AppError) => (fault ??= error);
  const body = Readable.from(limited(request, note), { objectMode: false });
  // Nothing else listens while a call waits or is refused: the error would end the process.
  body.on('error', () => undefined);
  if (request instanceof InboundMessage) {
    request.onExcess(() => body.destroy(note(new AppError('payload_too_large', 'The body comes in too many chunks.'))));
  }
  return { body, length: isChunked ? undefined : length, fault: () => fault };
}

async function* limited(request: IncomingMessage, note: (error: AppError) => AppError): AsyncGenerator<Buffer> {
  let size = 0;
  // Not destroyed at an early end: the client can still read the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PROXIED_BODY_BYTES) throw note(tooLarge(MAX_PROXIED_BODY_BYTES));
    yield chunk;
  }
}
