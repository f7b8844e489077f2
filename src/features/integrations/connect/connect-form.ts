import { type Request, type Response, urlencoded } from 'express';
import { RequestContext, senderOf } from '../../../platform/context.js';
import { AppError } from '../../../platform/errors.js';
import { isForeignForm } from '../../../platform/http/inbound/same-origin.js';
import { sendPage } from '../../../platform/pages/page.js';
import { REDIRECTING_FORM } from '../../../platform/pages/security-headers.js';
import { type RateLimits } from '../../../platform/admission/rate-limits.js';
import { randomToken } from '../../../platform/encryption/secrets.js';
import { type App } from '../apps/app.js';
import { BrowserCookie } from './browser-cookie.js';
import { choicePage, connectedPage, connectFormPage, notOfferedPage } from './connect-session.pages.js';
import { type ConnectSession } from './connect-session.entity.js';
import { sessionCaller } from './connect-session.service.js';
import { CREDENTIAL_FIELDS } from './ways/credential-fields.js';
import { type Integration } from '../integration.entity.js';
import { foreignFormPage } from './oauth.pages.js';
import { withQuery } from '../return-url.js';
import { type Chosen, type Filled, type SessionPage, type ShownSession } from './session-page.js';

/** Errors shown on the form, because the person can correct them or wait. */
const SHOWN = new Set(['validation_error', 'invalid_credentials', 'provider_unavailable', 'conflict', 'rate_limited']);

/** What the form shows in addition to the session. */
interface Said {
  error?: AppError;
  typed?: Record<string, string>;
  search?: string | undefined;
}

/** The form with which a person connects an application: of a connect session, and of a run that waits for a connection. */
export class ConnectForm {
  /** Parses what the form posts. */
  readonly body = urlencoded({ extended: false, limit: '16kb' });
  private readonly cookie: BrowserCookie;
  private readonly origin: string;

  constructor(
    private readonly page: SessionPage,
    private readonly rates: RateLimits,
    baseUrl: string,
  ) {
    this.cookie = new BrowserCookie(baseUrl);
    this.origin = new URL(baseUrl).origin;
  }

  /** Answers 403 to a form that another site has posted. @returns whether it did. */
  refuses(request: Request, response: Response): boolean {
    if (!isForeignForm(request, this.origin)) return false;
    sendPage(response, 403, foreignFormPage());
    return true;
  }

  /** The choices in the query of the page. */
  chosenIn({ query: { type, auth } }: Request): Chosen {
    return { type: textOf(type), auth: textOf(auth) };
  }

  /** The submitted form. */
  filledIn(request: Request): Filled {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const parameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(body)) {
      if (name.startsWith('parameter.') && typeof value === 'string')
        parameters[name.slice('parameter.'.length)] = value;
    }
    const names = Object.values(CREDENTIAL_FIELDS).flatMap((fields) => fields.map(({ name }) => name));
    const credentials = Object.fromEntries(names.map((name) => [name, textOf(body[name]) ?? '']));
    return { type: textOf(body.type) ?? '', auth: textOf(body.auth), credentials, parameters };
  }

  /** Sends the page of a session: its form, or its connection once it has one. */
  show({ query: { search, again } }: Request, response: Response, shown: ShownSession): void {
    if (shown.isDone && again === undefined) return sendPage(response, 200, done(shown));
    sendForm(response, 200, shown, { search: textOf(search) });
  }

  /** Starts the flow of a session with what the form posts, and redirects to the application or back. */
  async submit(request: Request, response: Response, shown: ShownSession): Promise<void> {
    const { offered, session } = shown;
    if (offered === undefined) return sendForm(response, 400, shown);
    const filled = this.filledIn(request);
    try {
      const refusal = this.rates.take('write', senderOf(sessionCaller(session)))?.refusal;
      if (refusal !== undefined) throw refusal;
      const browser = this.cookie.read(request) ?? randomToken();
      const next = await this.page.go(contextOf(session, response), shown, offered, filled, browser);
      if (!('connected' in next)) this.cookie.write(response, browser);
      response.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      response.redirect(
        303,
        'connected' in next ? (backOf(session, next.connected) ?? request.baseUrl + request.path) : next.address,
      );
    } catch (error) {
      if (!(error instanceof AppError) || !SHOWN.has(error.code)) throw error;
      sendForm(response, error.status, shown, { error, typed: filled.parameters });
    }
  }
}

/** The page has the same permissions as the session's token. */
function contextOf(session: ConnectSession, response: Response): RequestContext {
  return new RequestContext(String(response.getHeader('x-request-id')), sessionCaller(session));
}

function backOf({ returnUrl }: ConnectSession, { id, status }: Integration): string | undefined {
  return returnUrl === null ? undefined : withQuery(returnUrl, { integration_id: id, status });
}

function done({ session, offered, integration }: ShownSession): string {
  const appName = offered?.app.name ?? integration!.type;
  return connectedPage({ appName, back: backOf(session, integration!), mayRepeat: true });
}

/** The form for the session's application, or the list to choose one from. */
function sendForm(response: Response, status: number, shown: ShownSession, said: Said = {}): void {
  const { session, integration, offered, choices } = shown;
  const { error, typed = {}, search = '' } = said;
  if (offered === undefined && session.type !== null) return sendPage(response, 409, notOfferedPage());
  if (offered === undefined) return sendPage(response, status, choicePage({ apps: choices(search), search }));
  // A connection that worked once keeps its label and parameters.
  const isFirst = session.integrationId === null && integration?.lastConnectedAt == null;
  const { app } = offered;
  const named = session.integrationId === null ? session.label : integration?.name;
  const form = connectFormPage({
    ...offered,
    label: named === app.type ? undefined : (named ?? undefined),
    parameters: isFirst && session.parameters === null ? app.parameters : [],
    typed,
    notice: error && noticeOf(error, app),
    mayChoose: isFirst && session.type === null,
  });
  sendPage(response, status, form, REDIRECTING_FORM);
}

/** The first error, in a sentence that names the field as the form does. */
function noticeOf(error: AppError, app: App): string {
  const [detail] = error.details ?? [];
  if (detail === undefined || error.code !== 'validation_error') return error.message;
  const name = detail.field.replace(/^parameters\./, '');
  const parameter = app.parameters.find((one) => one.name === name);
  const credential = Object.values(CREDENTIAL_FIELDS)
    .flat()
    .find((one) => detail.field === `credentials.${one.name}`);
  const field = credential?.description ?? parameter?.description ?? detail.field;
  return `${field}: ${detail.message}.`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
