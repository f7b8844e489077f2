import { type Response, Router, urlencoded } from 'express';
import { randomToken } from '../../../platform/encryption/secrets.js';
import { isForeignForm } from '../../../platform/http/inbound/same-origin.js';
import { sendPage } from '../../../platform/pages/page.js';
import { REDIRECTING_FORM } from '../../../platform/pages/security-headers.js';
import { BrowserCookie } from './browser-cookie.js';
import { type CallbackOutcome, type OAuthCallback } from './oauth-callback.js';
import { callbackPage, errorPage, foreignFormPage, startPage } from './oauth.pages.js';
import { withQuery } from './return-url.js';
import { type StartPage } from './start-page.js';

/** The dependencies of `oauthRouter`. */
export interface OAuthRouterOptions {
  callback: OAuthCallback;
  start: StartPage;
  /** The public URL. The callback page posts its message to this origin if the flow has no return_url. */
  baseUrl: string;
}

/** The pages of an OAuth flow: `/connect/:ticket` and `/oauth/callback/:type`. */
export function oauthRouter({ callback, start, baseUrl }: OAuthRouterOptions): Router {
  const router = Router();
  const cookie = new BrowserCookie(baseUrl);
  const origin = new URL(baseUrl).origin;

  router.get('/connect/:ticket', async (request, response) => {
    const started = await start.find(request.params.ticket);
    if (started === undefined) return void sendPage(response, 404, linkExpiredPage());
    const { app, integration } = started;
    const scopes = app.auth.kind === 'oauth2' ? app.auth.scopes : [];
    const label = integration.name === app.type ? undefined : integration.name;
    sendPage(
      response,
      200,
      startPage({ appName: app.name, scopes, label, action: request.originalUrl }),
      REDIRECTING_FORM,
    );
  });

  router.post('/connect/:ticket', urlencoded({ extended: false, limit: '1kb' }), async (request, response) => {
    if (isForeignForm(request, origin)) return void sendPage(response, 403, foreignFormPage());
    const browser = cookie.read(request) ?? randomToken();
    const address = await start.begin(request.params.ticket, browser);
    if (address === undefined) return void sendPage(response, 404, linkExpiredPage());
    cookie.write(response, browser);
    response.set('cache-control', 'no-store').redirect(303, address);
  });

  // Express passes HEAD to the handler of GET, and this GET has an effect: a HEAD request must not consume the state.
  router.head('/oauth/callback/:type', (_request, response) => void response.set('allow', 'GET').sendStatus(405));

  router.get('/oauth/callback/:type', async (request, response) => {
    const query = new URL(request.originalUrl, baseUrl).searchParams;
    const outcome = await callback.complete(request.params.type, query, cookie.read(request));
    answer(response, outcome, origin);
  });

  return router;
}

function answer(response: Response, outcome: CallbackOutcome, origin: string): void {
  if (outcome.kind === 'unknown_state') {
    return void sendPage(response, 400, callbackPage({ outcome: 'unknown_state' }));
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

function linkExpiredPage(): string {
  return errorPage({
    title: 'This link is no longer valid',
    detail: 'It was used, is older than ten minutes, or never existed. Start the connection again.',
  });
}
