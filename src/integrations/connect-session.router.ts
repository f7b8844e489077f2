import { type Request, type Response, Router, urlencoded } from 'express';
import { isCheckedText } from '../api-keys/key-text.js';
import { RequestContext } from '../context.js';
import { AppError } from '../errors.js';
import { sendPage } from '../pages/page.js';
import { REDIRECTING_FORM } from '../pages/security-headers.js';
import { type RateLimits } from '../rate-limits.js';
import { randomToken } from '../secrets.js';
import { BrowserCookie, isForeign } from './browser-cookie.js';
import { choicePage, connectedPage, connectFormPage, sessionIsOverPage } from './connect-session.pages.js';
import { sessionCaller } from './connect-session.service.js';
import { foreignFormPage } from './oauth.pages.js';
import { withQuery } from './return-url.js';
import { type Filled, type SessionPage, type ShownSession } from './session-page.js';

export interface SessionRouterOptions {
  page: SessionPage;
  rates: RateLimits;
  baseUrl: string;
}

/** What went wrong that a person can mend, or wait out. */
const SHOWN = new Set(['validation_error', 'invalid_credentials', 'provider_unavailable', 'conflict', 'rate_limited']);

/** The page of a connect session, at the same address as the start page of a flow; their tickets differ in form. */
export function connectSessionRouter({ page, rates, baseUrl }: SessionRouterOptions): Router {
  const router = Router();
  const cookie = new BrowserCookie(baseUrl);
  const origin = new URL(baseUrl).origin;

  router.get('/connect/:session', async (request, response, next) => {
    if (!isCheckedText(request.params.session)) return next();
    const shown = await page.find(request.params.session, textOf(request.query.type));
    if (shown === undefined) return void sendPage(response, 404, sessionIsOverPage());
    const { app, isDone } = shown;
    if (isDone && request.query.again === undefined) return void sendPage(response, 200, done(shown));
    if (app !== undefined) return void sendForm(response, 200, shown);
    const search = textOf(request.query.search) ?? '';
    sendPage(response, 200, choicePage({ apps: page.choices(search), search }));
  });

  router.post('/connect/:session', urlencoded({ extended: false, limit: '16kb' }), async (request, response, next) => {
    const ticket = request.params.session;
    if (!isCheckedText(ticket)) return next();
    if (isForeign(request, origin)) return void sendPage(response, 403, foreignFormPage());
    const filled = filledIn(request);
    const shown = await page.find(ticket, filled.type);
    if (shown === undefined) return void sendPage(response, 404, sessionIsOverPage());
    const { session } = shown;
    const context = new RequestContext(String(response.getHeader('x-request-id')), sessionCaller(session));
    const browser = cookie.read(request) ?? randomToken();
    try {
      const refusal = rates.take('write', session.uuid)?.refusal;
      if (refusal !== undefined) throw refusal;
      const next = await page.go(context, filled, browser);
      response.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      if ('address' in next) {
        cookie.write(response, browser);
        return void response.redirect(303, next.address);
      }
      const { id, status } = next.connected;
      const query = { integration_id: id, status };
      response.redirect(303, session.returnUrl === null ? request.path : withQuery(session.returnUrl, query));
    } catch (error) {
      if (!(error instanceof AppError) || !SHOWN.has(error.code)) throw error;
      if (shown.app === undefined)
        return void sendPage(response, error.status, choicePage({ apps: page.choices(''), search: '' }));
      sendForm(response, error.status, shown, error, filled.parameters);
    }
  });

  return router;
}

function done({ session, app, integration }: ShownSession): string {
  const { id, status, type } = integration!;
  const back = session.returnUrl === null ? undefined : withQuery(session.returnUrl, { integration_id: id, status });
  return connectedPage({ appName: app?.name ?? type, back });
}

function sendForm(response: Response, status: number, shown: ShownSession, error?: AppError, typed = {}): void {
  const { session, integration } = shown;
  const app = shown.app!;
  // What worked once keeps what it was made with.
  const asks = session.parameters === null && session.integrationId === null && integration?.lastConnectedAt == null;
  const named = session.integrationId === null ? session.label : integration?.name;
  const form = connectFormPage({
    app,
    label: named === null || named === app.type ? undefined : named,
    parameters: asks ? app.parameters : [],
    typed,
    notice: error && noticeOf(error, shown),
    mayChoose: session.type === null && integration?.lastConnectedAt == null,
  });
  sendPage(response, status, form, REDIRECTING_FORM);
}

/** The first thing that is wrong, in a sentence that names the field as the form does. */
function noticeOf(error: AppError, { app }: ShownSession): string {
  const [detail] = error.details ?? [];
  if (detail === undefined) return error.message;
  const name = detail.field.replace(/^parameters\./, '');
  const parameter = app!.parameters.find((one) => one.name === name);
  const field = detail.field === 'credentials.api_key' ? 'API key' : (parameter?.description ?? detail.field);
  return `${field}: ${detail.message}.`;
}

function filledIn(request: Request): Filled {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name.startsWith('parameter.') && typeof value === 'string') parameters[name.slice('parameter.'.length)] = value;
  }
  return { type: textOf(body.type) ?? '', apiKey: textOf(body.api_key), parameters };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
