import { currentTrace } from '../../../platform/tracing/span.js';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, notFound } from '../../../platform/errors.js';
import { declaredLength } from '../../../platform/http/inbound/inbound-body.js';
import { sendJson } from '../../../platform/http/inbound/json-response.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type FiringOutcome } from '../../runs/queue/firings.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { hookBodyOf } from './hook-body.js';
import { type HookStore } from './hook-store.js';
import { answering, type InboundOptions, isToken, withPost } from './inbound-post.js';

/** Handles `POST /hooks/:token`. Needs only node:http. Never rejects. */
export type InboundHooks = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/** Creates the handler of inbound hooks. It answers 202 once the run is committed. */
export function createInboundHooks({ store, ...options }: InboundOptions & { store: HookStore }): InboundHooks {
  return (request, response, token) =>
    answering(options, response, async () => {
      const digest = admit(request, token, options);
      const { headers } = request;
      const [, query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
      const outcome = await withPost(
        request,
        { token, digest },
        { ...options, store },
        (body, pause) => hookBodyOf(headers['content-type'], body, pause),
        ({ body, input }) => store.accept({ digest, body, input, headers, query, trace: currentTrace() }),
      );
      sendJson(response, 202, answerOf(outcome));
    });
}

/** Checks what needs no body and no lookup. @returns the digest of the token. @throws AppError */
function admit(request: IncomingMessage, token: string, { refusal }: Pick<InboundOptions, 'refusal'>): Buffer {
  if (request.method !== 'POST') {
    throw new AppError('method_not_allowed', 'A hook takes POST only.', { headers: { Allow: 'POST' } });
  }
  if (!isToken(token)) throw notFound('hook');
  const refused = refusal(token, declaredLength(request));
  if (refused !== undefined) throw refused;
  return sha256(token);
}

function answerOf({ runUuid, reason }: FiringOutcome): object {
  const run_id = toPublicId('run', runUuid);
  return reason === null ? { accepted: true, run_id } : { accepted: false, run_id, reason };
}
