import { Router, urlencoded } from 'express';
import { randomToken } from '../../../platform/encryption/secrets.js';
import { isForeignForm } from '../../../platform/http/inbound/same-origin.js';
import { sendPage } from '../../../platform/pages/page.js';
import { REDIRECTING_FORM } from '../../../platform/pages/security-headers.js';
import { authOf } from '../apps/app.js';
import { BrowserCookie } from './browser-cookie.js';
import { errorPage, foreignFormPage, startPage } from './oauth.pages.js';
import { type StartPage } from './start-page.js';

/** The dependencies of `startRouter`; `baseUrl` is the public URL. */
export interface StartRouterOptions {
  start: StartPage;
  baseUrl: string;
}

/** `/connect`: the start page of an OAuth flow. */
export function startRouter({ start, baseUrl }: StartRouterOptions): Router {
  const router = Router();
  const cookie = new BrowserCookie(baseUrl);
  const origin = new URL(baseUrl).origin;

  router.get('/:ticket', async (request, response) => {
    const started = await start.find(request.params.ticket);
    if (started === undefined) return void sendPage(response, 404, linkExpiredPage());
    const { app, integration } = started;
    const scopes = authOf(app, 'oauth2')?.scopes ?? [];
    const label = integration.name === app.type ? undefined : integration.name;
    sendPage(
      response,
      200,
      startPage({ appName: app.name, scopes, label, action: request.originalUrl }),
      REDIRECTING_FORM,
    );
  });

  router.post('/:ticket', urlencoded({ extended: false, limit: '1kb' }), async (request, response) => {
    if (isForeignForm(request, origin)) return void sendPage(response, 403, foreignFormPage());
    const browser = cookie.read(request) ?? randomToken();
    const address = await start.begin(request.params.ticket, browser);
    if (address === undefined) return void sendPage(response, 404, linkExpiredPage());
    cookie.write(response, browser);
    response.set('cache-control', 'no-store').redirect(303, address);
  });

  return router;
}

function linkExpiredPage(): string {
  return errorPage({
    title: 'This link is no longer valid',
    detail: 'It was used, is older than ten minutes, or never existed. Start the connection again.',
  });
}
