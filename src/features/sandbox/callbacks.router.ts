import { type Request, Router } from 'express';
import { FairShare } from '../../platform/admission/fair-share.js';
import { currentOrigin } from '../../platform/admission/origin.js';
import { networkOf } from '../../platform/http/inbound/client-address.js';
import { hopsOf } from '../../platform/http/inbound/hops.js';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { authorize } from './authenticate.js';
import { type SandboxContext } from './authorize.router.js';
import { jsonBody } from './json-body.js';
import { OAuthError } from './oauth-error.js';

const MAX_DELAY_SECONDS = 60;
/** The maximum of posts that a process has yet to send, shared by their callers. */
export const MAX_WAITING = 100;
const CALL_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/** Lets the sandbox call back, as a payment provider does: it posts to a URL after a delay. Nothing is stored. */
export function callbacksRouter({ store, outbound }: SandboxContext & { outbound: Outbound }): Router {
  const router = Router();
  const places = new FairShare(MAX_WAITING);
  const post = (url: string, body: string, hops: number, leave: () => void): void => {
    outbound
      .request({
        url,
        method: 'POST',
        // A workflow may fire itself this way: the loop has to end.
        headers: { 'content-type': 'application/json', 'workflow-hops': String(hops) },
        body,
        timeoutMs: CALL_MS,
        maxBytes: MAX_ANSWER_BYTES,
        cut: 'raw',
        // The caller chose the URL: the sandbox reaches what an http_request reaches.
        trust: 'user',
      })
      // As from outside: the receiver sees a post or does not.
      .catch(() => undefined)
      .finally(leave);
  };
  router.post('/api/callbacks', jsonBody(), async (request, response) => {
    await authorize(store, request, 'contacts.write');
    const { url, delay_seconds: delay = 0, body = {} } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof delay !== 'number' || !(delay >= 0) || delay > MAX_DELAY_SECONDS)
      throw new OAuthError(400, 'invalid_request', `delay_seconds must be a number from 0 to ${MAX_DELAY_SECONDS}.`);
    const address = await reachable(outbound, url);
    const leave = places.tryTake(callerOf(request), 1);
    if (leave === undefined) throw new OAuthError(429, 'slow_down', 'Too many callbacks wait.', { 'Retry-After': '5' });
    setTimeout(post, delay * 1_000, address, JSON.stringify(body), hopsOf(request.headers), leave).unref();
    response.status(202).set('Cache-Control', 'no-store').json({ accepted: true });
  });
  return router;
}

/** Everyone knows the key of the sandbox: its callers differ by their networks. */
function callerOf(request: Request): string {
  const { address } = currentOrigin();
  return `${address === null ? '' : networkOf(address)} ${request.get('authorization')}`;
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
