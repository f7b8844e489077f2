import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type BodyBudget } from '../../../platform/admission/body-budget.js';
import { LONG_BYTES, type LongWork } from '../../../platform/admission/long-work.js';
import { type ResponsePace } from '../../../platform/admission/response-pace.js';
import { heldRefusal } from '../../../platform/http/inbound/held-response.js';
import { type AppError, ERROR_KINDS, toAppError } from '../../../platform/errors.js';
import {
  declaredLength,
  decodeJson,
  parseJsonText,
  readRequestBody,
} from '../../../platform/http/inbound/inbound-body.js';
import { sendError } from '../../../platform/http/inbound/json-response.js';
import { hopsOf } from '../../../platform/http/inbound/hops.js';
import { bodyDecoder } from '../../../platform/http/inbound/decode-body.js';
import { errorFields, messageFields } from '../../../platform/logging/logger.js';
import { type OnceASecond } from '../../../platform/logging/once-a-second.js';
import { MAX_PAYLOAD_BYTES } from '../../../platform/payloads.js';

/** The maximum size of a post, in bytes. */
export const MAX_HOOK_BYTES = MAX_PAYLOAD_BYTES;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What handling posts to URLs with a token needs. */
export interface InboundOptions {
  /** Counts a post and its declared bytes for a token. @returns the error if that exceeds a limit. */
  refusal: (token: string, bytes: number) => AppError | undefined;
  /**
   * Counts a post that runs or webhooks of the service have caused, for the account that it fires runs of. @returns the
   * error if that exceeds its limit. Absent: such posts fire no runs.
   */
  refusalOfHops?: (accountId: string) => AppError | undefined;
  /** Counts the bytes of a post that declared no length. */
  spend: (token: string, bytes: number) => void;
  /** Limits the bytes of bodies in memory; all inbound posts share one budget. */
  bodies: BodyBudget;
  longWork: LongWork;
  /**
   * Counts a client's posts with unknown tokens, and with tokens of waits that are over: no rate of a token limits them.
   * Undefined while limits are off.
   */
  refusals: ResponsePace | undefined;
  /** The client address of a request. */
  clientOf: (request: IncomingMessage) => string;
  /** Logs refused posts: one line a second for each cause. */
  log: OnceASecond;
  /** Counts posts with a missing or wrong signature, which are recorded nowhere else. */
  onBadSignature: () => void;
}

/** The body of a post as a JSON text. */
export interface TextPost {
  /** The decoded bytes of the body, for the signature. */
  body: Buffer;
  /** The JSON text for PostgreSQL: a JSON body without a byte order mark; `null` for an empty body. */
  input: string;
}

/** The body of a post as JSON. */
export interface JsonPost extends TextPost {
  value: unknown;
}

/** Reads a body, and awaits `pause` between pieces of work that would block the event loop for milliseconds together. */
export type ReadPost<P extends TextPost> = (body: Buffer, pause: () => Promise<void>) => P | Promise<P>;

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Reads the body of a post, decodes it and passes it to `use`. Its bytes count against the budget until `use` settles. A
 * body in a content coding counts as one of the maximum size, and is decoded only for a token that exists.
 */
export async function withBody<T>(
  request: IncomingMessage,
  token: string,
  { bodies, clientOf, spend }: Pick<InboundOptions, 'bodies' | 'clientOf' | 'spend'>,
  owner: () => Promise<string>,
  use: (body: Buffer) => Promise<T>,
): Promise<T> {
  const saysLength = request.headers['transfer-encoding'] === undefined;
  const decode = bodyDecoder(request);
  const declared = saysLength ? declaredLength(request) : 0;
  const length = saysLength && decode === undefined ? declared : MAX_HOOK_BYTES;
  const space = bodies.open(clientOf(request), Math.min(length, MAX_HOOK_BYTES), owner);
  try {
    const sent = await readRequestBody(request, MAX_HOOK_BYTES, space);
    if (decode !== undefined) await space.grow();
    const body = decode === undefined || sent.length === 0 ? sent : await decode(sent, MAX_HOOK_BYTES);
    if (body.length > declared) spend(token, body.length - declared);
    return await use(body);
  } finally {
    space.close();
  }
}

/** Looks up the owners and signatures of URLs with a token. */
export interface TokenStore {
  /** @throws AppError `not_found` for an unknown token. */
  ownerOf(digest: Buffer): Promise<string>;
  /** The cached account of a token; '' if it is not cached. */
  laneOf(digest: Buffer): string;
  /** @throws AppError `unauthorized` if a body lacks the signature that its URL requires. */
  prove(post: { digest: Buffer; body: Buffer; headers: IncomingHttpHeaders }): Promise<void>;
}

/**
 * Reads a post to a URL with a token. The signature of a long body is verified before the body is parsed. Signatures of
 * other bodies are verified with their group, which reads the settings of all at once.
 */
export async function withPost<P extends TextPost, T>(
  request: IncomingMessage,
  { token, digest }: { token: string; digest: Buffer },
  options: Pick<InboundOptions, 'bodies' | 'longWork' | 'clientOf' | 'spend' | 'refusalOfHops'> & { store: TokenStore },
  read: ReadPost<P>,
  use: (post: P) => Promise<T>,
): Promise<T> {
  const { store, longWork, clientOf, refusalOfHops } = options;
  // One post could make fifty runs, each of them fifty more: the depth is bounded by hops, the breadth by this.
  if (refusalOfHops !== undefined && hopsOf(request.headers) > 0) {
    const refused = refusalOfHops(await store.ownerOf(digest));
    if (refused !== undefined) throw refused;
  }
  return withBody(
    request,
    token,
    options,
    () => store.ownerOf(digest),
    async (body) => {
      const prove = () => store.prove({ digest, body, headers: request.headers });
      if (body.length > LONG_BYTES) await prove();
      const lane = store.laneOf(digest) || clientOf(request);
      await longWork.piece(lane, body.length);
      return use(await provenPost(() => read(body, () => longWork.turn(lane)), prove));
    },
  );
}

/**
 * Verifies the signature before it reports errors of the body. @throws AppError as `prove` does, then as `read` does.
 */
async function provenPost<P>(read: () => P | Promise<P>, prove: () => Promise<void>): Promise<P> {
  try {
    return await read();
  } catch (error) {
    await prove();
    throw error;
  }
}

/** @throws AppError `invalid_json` or `validation_error` (too deep). */
export function postOf(body: Buffer): JsonPost {
  if (body.length === 0) return { body, input: 'null', value: null };
  const input = decodeJson(body);
  return { body, value: parseJsonText(input), input };
}

/** Runs the work of a request, and answers with an error if it throws. Never rejects. */
export async function answering(
  { log, onBadSignature, refusals, clientOf }: InboundOptions,
  response: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'unauthorized') onBadSignature();
    const { level } = ERROR_KINDS[known.code];
    const cause = known.cause ?? known;
    // Only of an error of the service does a stack say more than the message.
    const fields = level === 'error' ? errorFields(cause) : messageFields(cause);
    log.log(level, `${known.code} ${fields.error_code}`, { code: known.code, ...fields }, 'post refused');
    const isVain = known.code === 'not_found' || known.code === 'gone';
    await heldRefusal(isVain ? known.heldBack(refusals?.next(clientOf(response.req))) : known, response);
    sendError(response, known);
  }
}

/** The digests of posts, without duplicates. */
export function uniqueDigests(posts: readonly { digest: Buffer }[]): Buffer[] {
  return [...new Map(posts.map(({ digest }) => [digest.toString('hex'), digest])).values()];
}
