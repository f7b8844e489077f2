import { Router } from 'express';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { authorize } from './authenticate.js';
import { type SandboxContext } from './authorize.router.js';
import { jsonBody } from './json-body.js';
import { OAuthError } from './oauth-error.js';

const MAX_DELAY_SECONDS = 60;
/** The maximum of posts that a process has yet to send. */
const MAX_WAITING = 100;
const CALL_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/** Lets the sandbox call back, as a payment provider does: it posts to a URL after a delay. Nothing is stored. */
export function callbacksRouter({ store, outbound }: SandboxContext & { outbound: Outbound }): Router {
  const router = Router();
  let waiting = 0;
  const post = (url: string, body: string): void => {
    outbound
      .request({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        timeoutMs: CALL_MS,
        maxBytes: MAX_ANSWER_BYTES,
        cut: 'raw',
        // The caller chose the URL: the sandbox reaches what an http_request reaches.
        trust: 'user',
      })
      // As from outside: the receiver sees a post or does not.
      .catch(() => undefined)
      .finally(() => (waiting -= 1));
  };
  router.post('/api/callbacks', jsonBody(), async (request, response) => {
    await authorize(store, request, 'contacts.write');
    const { url, delay_seconds: delay = 0, body = {} } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof delay !== 'number' || !(delay >= 0) || delay > MAX_DELAY_SECONDS)
      throw new OAuthError(400, 'invalid_request', `delay_seconds must be a number from 0 to ${MAX_DELAY_SECONDS}.`);
    const address = await reachable(outbound, url);
    if (waiting >= MAX_WAITING)
      throw new OAuthError(429, 'slow_down', 'Too many callbacks wait.', { 'Retry-After': '5' });
    waiting += 1;
    setTimeout(post, delay * 1_000, address, JSON.stringify(body)).unref();
    response.status(202).set('Cache-Control', 'no-store').json({ accepted: true });
  });
  return router;
}

/** The address, checked. @throws OAuthError for one that users may not call. */
async function reachable(outbound: Outbound, url: unknown): Promise<string> {
  if (typeof url !== 'string') throw new OAuthError(400, 'invalid_request', 'url is required.');
  try {
    await outbound.checkAddress(url);
    return url;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new OAuthError(400, 'invalid_request', error.message);
  }
}
