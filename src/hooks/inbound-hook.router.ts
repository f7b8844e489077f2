import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, notFound } from '../errors.js';
import { toPublicId } from '../ids.js';
import { type FiringOutcome } from '../runs/firings.js';
import { sha256 } from '../secrets.js';
import { type HookPost } from './hook-post.js';
import { type HookStore } from './hook-store.js';
import { answering, type InboundOptions, isToken, readPost, sendAccepted } from './inbound-post.js';

/** Answers `POST /hooks/:token`; needs nothing but node:http. Never rejects. */
export type InboundHooks = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/** The handler of inbound hooks: 202 once the run is committed. */
export function createInboundHooks({ store, ...options }: InboundOptions & { store: HookStore }): InboundHooks {
  return (request, response, token) =>
    answering(options, request, response, async () => {
      const outcome = await store.accept(await readHook(request, token, options));
      sendAccepted(response, answerOf(outcome));
    });
}

async function readHook(
  request: IncomingMessage,
  token: string,
  { refusal }: Pick<InboundOptions, 'refusal'>,
): Promise<HookPost> {
  if (request.method !== 'POST') {
    throw new AppError('method_not_allowed', 'A hook takes POST only.', { headers: { Allow: 'POST' } });
  }
  if (!isToken(token)) throw notFound('hook');
  const refused = refusal(token);
  if (refused !== undefined) throw refused;
  const { body, input } = await readPost(request);
  return { digest: sha256(token), body, input, headers: request.headers };
}

function answerOf({ runUuid, reason }: FiringOutcome): object {
  const run_id = toPublicId('run', runUuid);
  return reason === null ? { accepted: true, run_id } : { accepted: false, run_id, reason };
}
