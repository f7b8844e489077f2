import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, ERROR_KINDS, notFound, toAppError } from '../errors.js';
import { readBody, parseJson } from '../http/inbound-body.js';
import { toPublicId } from '../ids.js';
import { errorFields, type Logger } from '../logger.js';
import { type FiringOutcome } from '../runs/firings.js';
import { sha256 } from '../secrets.js';
import { type HookPost } from './hook-post.js';
import { type HookStore } from './hook-store.js';

/** The most bytes of a post. */
export const MAX_HOOK_BYTES = 1_048_576;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface InboundHooksOptions {
  store: HookStore;
  /** Counts a post of a hook. @returns why it is one too many. */
  refusal: (token: string) => AppError | undefined;
  logger: Logger;
  /** Writes `{ code, message, details? }` with the status and headers of the error. */
  sendError: (request: IncomingMessage, response: ServerResponse, error: AppError) => void;
  /** Counts posts with a missing or wrong signature, which leave no other trace. */
  onBadSignature: () => void;
}

/** Answers `POST /hooks/:token`; needs nothing but node:http. Never rejects. */
export type InboundHooks = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/** The handler of inbound hooks: 202 once the run is committed. */
export function createInboundHooks({
  store,
  refusal,
  logger,
  sendError,
  onBadSignature,
}: InboundHooksOptions): InboundHooks {
  return async (request, response, token) => {
    try {
      const outcome = await store.accept(await readPost(request, token, refusal));
      sendAccepted(response, outcome);
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'unauthorized') onBadSignature();
      logger[ERROR_KINDS[known.code].level]({ code: known.code, ...errorFields(known.cause ?? known) }, 'hook refused');
      sendError(request, response, known);
    }
  };
}

async function readPost(
  request: IncomingMessage,
  token: string,
  refusal: InboundHooksOptions['refusal'],
): Promise<HookPost> {
  if (request.method !== 'POST') {
    throw new AppError('method_not_allowed', 'A hook takes POST only.', { headers: { Allow: 'POST' } });
  }
  if (!TOKEN.test(token)) throw notFound('hook');
  const refused = refusal(token);
  if (refused !== undefined) throw refused;
  const body = await readBody(request, MAX_HOOK_BYTES);
  return { digest: sha256(token), body, input: jsonText(body), headers: request.headers };
}

/** The body as PostgreSQL takes it, unchanged but for a byte order mark; nothing is `null`. */
function jsonText(body: Buffer): string {
  if (body.length === 0) return 'null';
  parseJson(body);
  return new TextDecoder().decode(body);
}

function sendAccepted(response: ServerResponse, { runUuid, reason }: FiringOutcome): void {
  const run_id = toPublicId('run', runUuid);
  const text = JSON.stringify(reason === null ? { accepted: true, run_id } : { accepted: false, run_id, reason });
  response.writeHead(202, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
