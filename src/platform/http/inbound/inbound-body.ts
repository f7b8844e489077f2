import { type IncomingMessage } from 'node:http';
import { type BodySpace } from '../../admission/body-budget.js';
import { AppError, validationError } from '../../errors.js';
import { exceedsDepth } from '../../json/json-depth.js';
import { hugeNumberIn, parseExactly } from '../../json/json-numbers.js';
import { MAX_JSON_LEVELS } from '../../graphql/scalars.js';
import { GrowingBuffer } from '../outbound/growing-buffer.js';
import { InboundMessage } from './inbound-message.js';

/** The maximum size of a REST or GraphQL body, in bytes. */
export const MAX_BODY_BYTES = 102_400;
/** The chunks of a refused body that are read and dropped; then its client has a second to read the response. */
const DROPPED_CHUNKS = 1_024;
const LINGER_MS = 1_000;

/** A request as Express passes it on: `body` is set when a parser ran before. */
export type InboundRequest = IncomingMessage & { body?: unknown };

/**
 * The raw bytes of a request, at most `limit`. The rest of a longer body is read and dropped for a while, so that the
 * client can read the response; then the connection closes. Bytes beyond the reserved `space` are read after it has
 * grown. @throws AppError `payload_too_large`, `invalid_json` when the client disconnects; as `space` throws.
 */
export async function readRequestBody(request: IncomingMessage, limit: number, space?: BodySpace): Promise<Buffer> {
  if (declaredLength(request) > limit) throw refusing(request, tooLarge(limit));
  if (space !== undefined && !space.fits(declaredLength(request))) await space.grow();
  const body = new GrowingBuffer(declaredLength(request) || undefined);
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => reject(refusing(request, error as Error));
    request.on('data', (chunk: Buffer) => {
      const size = body.size + chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      body.add(chunk);
      if (space === undefined || space.fits(size)) return;
      request.pause();
      space.grow().then(() => request.resume(), refuse);
    });
    if (request instanceof InboundMessage) request.onExcess((size) => reject(tooManyChunks(size)));
    // Listeners are added once: they live as long as the request, which may be a stream.
    request.once('end', () => resolve(body.take()));
    // The error of the socket is not passed on: it must not count as one of the database connection.
    request.once('error', () => reject(endedEarly()));
    request.once('close', () => {
      if (!request.readableEnded) reject(endedEarly());
    });
  });
}

/** The declared length of a request's body; 0 without one. */
export function declaredLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** The maximum memory for reading the body of a request to REST or GraphQL; 0 without a body. */
export function bytesToHold(request: IncomingMessage): number {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  return isChunked ? MAX_BODY_BYTES : Math.min(declaredLength(request), MAX_BODY_BYTES);
}

/** Reads on for a while and drops the data, so that the client can read the response. */
export function drop(request: IncomingMessage): void {
  let dropped = 0;
  request.removeAllListeners('data');
  request.on('data', () => {
    dropped += 1;
    if (dropped !== DROPPED_CHUNKS) return;
    request.removeAllListeners('data').pause();
    setTimeout(() => request.destroy(), LINGER_MS).unref();
  });
  // The request may be paused while it waits for space.
  request.resume();
}

function refusing<E extends Error>(request: IncomingMessage, error: E): E {
  drop(request);
  return error;
}

function tooManyChunks(size: number): AppError {
  const message = `The first ${size.toLocaleString('en')} bytes of the body came in too many chunks. Send larger chunks.`;
  return new AppError('payload_too_large', message);
}

function endedEarly(): AppError {
  return new AppError('invalid_json', 'The request ended before its body did.');
}

/** Requirements for a JSON body. */
export interface JsonDemand {
  /** Refuses everything but an object, as `invalid_json`. */
  object?: boolean;
  /** Refuses a number beyond the range of a double, which would become null. */
  finite?: boolean;
}

/**
 * The JSON body of a request to REST or GraphQL; undefined without one. Uses the result of an earlier parser in
 * `request.body`, since reading again would wait forever, and validates it in the same way. @throws AppError
 * `payload_too_large`, `unsupported_media_type`, `invalid_json` or `validation_error` (too deep).
 */
export async function readJson(request: InboundRequest, demand: JsonDemand = {}): Promise<unknown> {
  return (await readJsonBody(request, demand))?.value;
}

/** A JSON body with its bytes; after an earlier parser, the bytes of its serialization. */
export interface JsonBody {
  value: unknown;
  bytes: Buffer;
}

/** As `readJson`, with the bytes. */
export async function readJsonBody(request: InboundRequest, demand: JsonDemand = {}): Promise<JsonBody | undefined> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || declaredLength(request) > 0;
  if (!hasBody) return undefined;
  if (declaredLength(request) > MAX_BODY_BYTES) throw refusing(request, tooLarge(MAX_BODY_BYTES));
  if (request.body !== undefined && request.readableDidRead) return parsedBody(request, request.body, demand);
  const bytes = await readRequestBody(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  demandJsonType(request);
  if (!['', 'identity'].includes(request.headers['content-encoding'] ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the body without a content coding.');
  }
  return { value: parseJsonText(decodeJson(bytes), { ...demand, finite: true }), bytes };
}

/** The value of a body for comparisons: see `parseExactly`. */
export function exactValueOf({ bytes }: Pick<JsonBody, 'bytes'>): unknown {
  return parseExactly(decodeJson(bytes));
}

/** The body as an earlier parser left it, e.g. `express.json()`, or the bytes of `express.raw()`. */
function parsedBody(request: InboundRequest, body: unknown, demand: JsonDemand): JsonBody {
  const text = Buffer.isBuffer(body) ? body : textOf(body);
  // A chunked body declares no length, and a compressed one only the length of its compressed bytes.
  if (text.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  demandJsonType(request);
  return { value: parseJsonText(decodeJson(text), demand), bytes: text };
}

function textOf(body: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch (error) {
    // JSON.parse accepts any depth, JSON.stringify as much as the stack allows, which is far beyond the limit.
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** Requires a single header: of several Node reports the first, and a proxy may use the last. */
function demandJsonType({ headers, headersDistinct }: IncomingMessage): void {
  const isRepeated = (headersDistinct['content-type']?.length ?? 0) > 1;
  if (isRepeated || !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  }
}

/** A JSON text of at most 200 levels. @throws AppError `invalid_json`, then `validation_error`. */
export function parseJsonText(text: string, { object = false, finite = false }: JsonDemand = {}): unknown {
  const isDeep = exceedsDepth(text, MAX_JSON_LEVELS);
  // Parsing a megabyte of brackets takes 0.1 s, so a large deep body is refused without checking that it is JSON.
  if (isDeep && text.length > MAX_BODY_BYTES) throw tooDeep();
  const value = parse(text);
  if (object && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw new AppError('invalid_json', 'The body must be a JSON object.');
  }
  if (isDeep) throw tooDeep();
  const huge = finite ? hugeNumberIn(text, value) : undefined;
  if (huge !== undefined) throw validationError({ field: huge || 'body', message: 'exceeds the range of a double' });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notJson();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON is UTF-8 (RFC 8259, 8.1): other bytes are refused, not replaced. */
export function decodeJson(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON: it is not UTF-8.');
  }
}

/** The error for a body that is not JSON. */
export function notJson(): AppError {
  return new AppError('invalid_json', 'The body is not valid JSON.');
}

/** The error for a body with too many levels. */
export function tooDeep(): AppError {
  return new AppError('validation_error', `The body may be nested ${MAX_JSON_LEVELS} levels deep.`, {
    details: [{ field: 'body', message: `may be nested ${MAX_JSON_LEVELS} levels deep` }],
  });
}

/** The error for a body that exceeds its limit. */
export function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', `The body may have at most ${limit.toLocaleString('en')} bytes.`);
}
