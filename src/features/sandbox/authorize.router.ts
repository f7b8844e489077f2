import { Router, urlencoded, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { type Clock } from '../../platform/clock.js';
import { isForeignForm } from '../../platform/http/inbound/same-origin.js';
import { sendPage } from '../../platform/pages/page.js';
import { REDIRECTING_FORM } from '../../platform/pages/security-headers.js';
import { randomToken } from '../../platform/encryption/secrets.js';
import { readAuthorizationRequest, type AuthorizationRequest } from './authorization-request.js';
import { ACCOUNTS, LIFETIMES } from './choices.js';
import { consentPage, neverPage, refusedPage } from './consent.page.js';
import { type Grant, type SandboxStore } from './sandbox.store.js';

/** Lifetime of an authorization code, in milliseconds. */
const CODE_MS = 60_000;

/** The dependencies of the sandbox's routers; `baseUrl` has no trailing slash. */
export interface SandboxContext {
  baseUrl: string;
  clock: Clock;
  store: SandboxStore;
}

/**
 * The authorization endpoint: GET shows the consent page, POST of its form redirects to the client, with `iss` (RFC
 * 9207).
 */
export function authorizeRouter(context: SandboxContext): Router {
  const router = Router();
  const { origin } = new URL(context.baseUrl);
  router.get('/oauth/authorize', (req, res) => {
    const request = accepted(context, req.query, res);
    if (request) sendPage(res, 200, consentPage(request), REDIRECTING_FORM);
  });
  router.post('/oauth/authorize', urlencoded({ extended: false, limit: '16kb' }), async (req, res) => {
    if (isForeignForm(req, origin))
      return sendPage(res, 400, refusedPage('The decision must come from the consent page.'));
    const form = (req.body ?? {}) as Record<string, unknown>;
    const request = accepted(context, form, res);
    if (request) await decide(context, request, form, res);
  });
  return router;
}

function accepted(context: SandboxContext, parameters: Record<string, unknown>, res: Response) {
  const read = readAuthorizationRequest(parameters, `${context.baseUrl}/oauth/callback/sandbox_oauth`);
  if (read.is === 'valid') return read.request;
  if (read.is === 'refused') sendPage(res, 400, refusedPage(read.detail));
  else answer(context, read, { error: read.error, error_description: read.description }, res);
  return undefined;
}

async function decide(
  context: SandboxContext,
  request: AuthorizationRequest,
  form: Record<string, unknown>,
  res: Response,
): Promise<void> {
  const grant = chosen(request, form);
  if (form['decision'] === 'never') return sendPage(res, 200, neverPage(request));
  if (form['decision'] === 'deny') return answer(context, request, { error: 'access_denied' }, res);
  if (form['decision'] !== 'grant' || grant === undefined) {
    return sendPage(res, 400, refusedPage('The form was not filled in as it was offered.'));
  }
  const code = `sbx_code_${randomToken()}`;
  const payload = { ...grant, redirectUri: request.redirectUri, codeChallenge: request.codeChallenge };
  const expiresAt = new Date(context.clock.now().getTime() + CODE_MS);
  await context.store.put('code', code, { payload, family: randomUUID() }, expiresAt);
  return answer(context, request, { code }, res);
}

/** The choices of the form; an absent field means the first choice. Undefined if a value was not offered. */
function chosen(request: AuthorizationRequest, form: Record<string, unknown>): Grant | undefined {
  const { account = ACCOUNTS[0]!.id, lifetime = String(LIFETIMES[0]!.seconds), refresh = 'yes' } = form;
  const who = ACCOUNTS.find(({ id }) => id === account);
  const long = LIFETIMES.find(({ seconds }) => String(seconds) === lifetime);
  if (!who || !long || (refresh !== 'yes' && refresh !== 'no')) return undefined;
  return { accountId: who.id, scopes: request.scopes, lifetime: long.seconds, refreshable: refresh === 'yes' };
}

function answer(
  { baseUrl }: SandboxContext,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  parameters: Record<string, string>,
  res: Response,
): void {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  url.searchParams.set('iss', `${baseUrl}/sandbox`);
  res.set('Cache-Control', 'no-store').redirect(303, url.href);
}
