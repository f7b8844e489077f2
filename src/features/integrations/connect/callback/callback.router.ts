import { type Request, type Response, Router } from 'express';
import { sendPage } from '../../../../platform/pages/page.js';
import { BrowserCookie } from '../browser-cookie.js';
import { type CallbackOutcome, type OAuthCallback } from './oauth-callback.js';
import { callbackLaterPage, callbackPage } from '../oauth.pages.js';
import { withQuery } from '../../return-url.js';

/** After this time, in seconds, the browser repeats a callback whose state is not consumed. */
const AGAIN_SECONDS = 5;

/** The dependencies of `callbackRouter`. */
export interface CallbackRouterOptions {
  callback: OAuthCallback;
  /** The public URL. The callback page posts its message to this origin if the flow has no return_url. */
  baseUrl: string;
}

/** `/oauth`: the callback of an OAuth flow. */
export function callbackRouter({ callback, baseUrl }: CallbackRouterOptions): Router {
  const router = Router();
  const cookie = new BrowserCookie(baseUrl);
  const origin = new URL(baseUrl).origin;

  // Express passes HEAD to the handler of GET, and this GET has an effect: a HEAD request must not consume the state.
  router.head('/callback/:type', (_request, response) => void response.set('allow', 'GET').sendStatus(405));

  router.get('/callback/:type', async (request, response) => {
    const query = new URL(request.originalUrl, baseUrl).searchParams;
    const outcome = await callback.complete(request.params.type, query, cookie.read(request));
    answer(request, response, outcome, origin);
  });

  return router;
}

function answer(request: Request, response: Response, outcome: CallbackOutcome, origin: string): void {
  if (outcome.kind === 'unknown_state') {
    return void sendPage(response, 400, callbackPage({ outcome: 'unknown_state' }));
  }
  if (outcome.kind === 'later') {
    response.set({ refresh: String(AGAIN_SECONDS), 'retry-after': String(AGAIN_SECONDS) });
    return void sendPage(response, 503, callbackLaterPage(outcome.app.name, request.originalUrl));
  }
  if (outcome.kind === 'lost') {
    return void sendPage(response, 503, callbackPage({ outcome: 'failed', appName: outcome.app.name }));
  }
  const { integration, app, reason, returnUrl, forged } = outcome;
  const message = { integration_id: integration.id, status: integration.status };
  if (returnUrl !== null && !forged) {
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    response.set(headers).redirect(303, withQuery(returnUrl, message));
    return;
  }
  const good = reason === 'connected' || reason === 'reconnected';
  const page = callbackPage({
    outcome: good ? 'connected' : reason === 'access_denied' ? 'denied' : 'failed',
    appName: app.name,
    reason: good ? undefined : reason,
    message,
    targetOrigin: returnUrl === null ? origin : new URL(returnUrl).origin,
  });
  sendPage(response, forged ? 400 : 200, page);
}
