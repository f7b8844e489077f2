import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, notFound } from '../../../platform/errors.js';
import { answering, type InboundOptions, isToken, postOf, withPost } from '../hooks/inbound-post.js';
import { declaredLength } from '../../../platform/http/inbound/inbound-body.js';
import { sendJson } from '../../../platform/http/inbound/json-response.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { type EventOutcome, type EventStore } from './event-store.js';
import { type HandshakeDefinition } from './handshakes/define-handshake.js';
import { handshakes } from './handshakes/index.js';
import { takeShared } from './shared-address.js';

/** What the handler of app events needs. */
export interface AppEventsOptions extends InboundOptions {
  store: EventStore;
}

/**
 * Handles `/events/:token`, where the token may be the app type of a shared address. Needs only node:http. Never
 * rejects.
 */
export type AppEvents = (request: IncomingMessage, response: ServerResponse, token: string) => Promise<void>;

/**
 * Creates the handler of app events. It answers 202 once all runs of an event are committed, and answers handshakes.
 */
export function createAppEvents(options: AppEventsOptions): AppEvents {
  return (request, response, token) =>
    answering(options, response, async () => {
      const shared = options.store.sharedSource(token);
      if (shared !== undefined && request.method !== 'POST') throw notAllowed('POST');
      const outcome =
        shared === undefined ? await takeOwn(options, request, token) : await takeShared(options, request, shared);
      if ('answer' in outcome) return sendText(response, outcome.answer);
      const run_ids = outcome.runUuids.map((uuid) => toPublicId('run', uuid));
      sendJson(response, 202, { accepted: true, run_ids });
    });
}

/** Handles a request to the address of one integration. */
async function takeOwn(options: AppEventsOptions, request: IncomingMessage, token: string): Promise<EventOutcome> {
  const { store } = options;
  const digest = admit(request, token, options);
  const answer = await handshakeOf(request, digest, options);
  if (answer !== undefined) return { answer };
  const { headers } = request;
  return withPost(request, { token, digest }, options, postOf, (post) =>
    store.accept({ ...post, digest, headers, shared: null }),
  );
}

/** Checks what needs no lookup. @returns the digest of the token. @throws AppError */
function admit(request: IncomingMessage, token: string, { refusal }: AppEventsOptions): Buffer {
  if (!['GET', 'HEAD', 'POST'].includes(request.method!)) throw notAllowed('POST');
  if (!isToken(token)) throw notFound('address for events');
  const refused = refusal(token, declaredLength(request));
  if (refused !== undefined) throw refused;
  return sha256(token);
}

/**
 * The response to a handshake in the query; undefined for a post without one. Most posts have no query and need no
 * lookup of the integration here. @throws AppError
 */
async function handshakeOf(
  { method, url = '' }: IncomingMessage,
  digest: Buffer,
  { store }: AppEventsOptions,
): Promise<string | undefined> {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  if (method === 'POST' && query.size === 0) return undefined;
  const { source, secret } = await store.sourceOf(digest);
  const handshake: HandshakeDefinition | undefined =
    source.handshake === null ? undefined : handshakes[source.handshake];
  const asksBy = method === 'HEAD' ? 'GET' : method;
  const answer = handshake?.queryMethod === asksBy ? handshake?.ofQuery?.(query, secret) : undefined;
  if (answer !== undefined || method === 'POST') return answer;
  throw notAllowed(handshake?.queryMethod === 'GET' ? 'GET, HEAD, POST' : 'POST');
}

function notAllowed(allow: string): AppError {
  return new AppError('method_not_allowed', 'Post events to this address.', { headers: { Allow: allow } });
}

/** Sends a text from the provider as plain text: a browser must never render it as a page. */
function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(text);
}
