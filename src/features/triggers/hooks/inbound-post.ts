import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type BodyBudget } from '../../../platform/admission/body-budget.js';
import { LONG_BYTES, type LongWork } from '../../../platform/admission/long-work.js';
import { type AppError, ERROR_KINDS, toAppError } from '../../../platform/errors.js';
import { declaredLength, parseJson, readRequestBody } from '../../../platform/http/inbound/inbound-body.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { MAX_PAYLOAD_BYTES } from '../../../platform/payloads.js';

/** The most bytes of a post. */
export const MAX_HOOK_BYTES = MAX_PAYLOAD_BYTES;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What answers posts from outside whose address holds a token. */
export interface InboundOptions {
  /** Counts a post to a token, and the bytes that it says it has. @returns why it is one too many. */
  refusal: (token: string, bytes: number) => AppError | undefined;
  /** Counts the bytes of a post that did not say how many it has. */
  spend: (token: string, bytes: number) => void;
  /** The bytes of bodies that the process holds; all inbound posts share one. */
  bodies: BodyBudget;
  longWork: LongWork;
  /** The address that a request came from. */
  clientOf: (request: IncomingMessage) => string;
  logger: Logger;
  /** Writes `{ code, message, details? }` with the status and headers of the error. */
  sendError: (request: IncomingMessage, response: ServerResponse, error: AppError) => void;
  /** Counts posts with a missing or wrong signature, which leave no other trace. */
  onBadSignature: () => void;
}

/** A body that is JSON. */
export interface JsonPost {
  /** As it came, for the signature. */
  body: Buffer;
  /** As PostgreSQL takes it: unchanged but for a byte order mark; nothing is `null`. */
  input: string;
  value: unknown;
}

/** Whether a text can be the token of an address. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Reads the body of a post and hands it on; its bytes are held until `use` has ended. */
export async function withBody<T>(
  request: IncomingMessage,
  token: string,
  { bodies, clientOf, spend }: Pick<InboundOptions, 'bodies' | 'clientOf' | 'spend'>,
  owner: () => Promise<string>,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  const saysLength = request.headers['transfer-encoding'] === undefined;
  const length = saysLength ? declaredLength(request) : MAX_HOOK_BYTES;
  const space = bodies.open(clientOf(request), Math.min(length, MAX_HOOK_BYTES), owner);
  try {
    const body = await readRequestBody(request, MAX_HOOK_BYTES, space);
    if (!saysLength) spend(token, body.length);
    return await use(body);
  } finally {
    space.close();
  }
}

/** What knows the addresses that have a token of their own. */
export interface TokenStore {
  /** @throws AppError `not_found` for an unknown token. */
  ownerOf(digest: Buffer): Promise<string>;
  /** The account of a token; empty while it is not known. */
  laneOf(digest: Buffer): string;
  /** @throws AppError `unauthorized` where the bytes of a body don't have the signature that their address asks for. */
  prove(post: { digest: Buffer; body: Buffer; headers: IncomingHttpHeaders }): Promise<void>;
}

/**
 * Reads a post to an address with a token. A long body is not parsed before its signature is known to be right; that of
 * others is checked with their group, which asks for the settings of all at once.
 */
export async function withPost<T>(
  request: IncomingMessage,
  { token, digest }: { token: string; digest: Buffer },
  options: Pick<InboundOptions, 'bodies' | 'longWork' | 'clientOf' | 'spend'> & { store: TokenStore },
  use: (post: JsonPost) => Promise<T>,
): Promise<T> {
  const { store, longWork, clientOf } = options;
  return withBody(
    request,
    token,
    options,
    () => store.ownerOf(digest),
    async (body) => {
      const prove = () => store.prove({ digest, body, headers: request.headers });
      if (body.length > LONG_BYTES) await prove();
      await longWork.piece(store.laneOf(digest) || clientOf(request), body.length);
      return use(await provenPost(body, prove));
    },
  );
}

/** A sender that proves nothing is not told what is wrong with its body. @throws AppError as `prove`, then as `postOf`. */
async function provenPost(body: Buffer, prove: () => Promise<void>): Promise<JsonPost> {
  try {
    return postOf(body);
  } catch (error) {
    await prove();
    throw error;
  }
}

/** @throws AppError `invalid_json` or `validation_error` (too deep). */
export function postOf(body: Buffer): JsonPost {
  if (body.length === 0) return { body, input: 'null', value: null };
  return { body, value: parseJson(body), input: new TextDecoder().decode(body) };
}

/** Does the work of a request and answers what it throws. Never rejects. */
export async function answering(
  { logger, sendError, onBadSignature }: InboundOptions,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'unauthorized') onBadSignature();
    logger[ERROR_KINDS[known.code].level]({ code: known.code, ...errorFields(known.cause ?? known) }, 'post refused');
    sendError(request, response, known);
  }
}

/** 202 with a JSON body: what was posted is committed. */
export function sendAccepted(response: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(202, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The digests of tokens, each once. */
export function uniqueDigests(posts: readonly { digest: Buffer }[]): Buffer[] {
  return [...new Map(posts.map(({ digest }) => [digest.toString('hex'), digest])).values()];
}
