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
  router.get('/oauth/authorize', (request, response) => {
    const authorization = accepted(context, request.query, response);
    if (authorization) sendPage(response, 200, consentPage(authorization), REDIRECTING_FORM);
  });
  router.post('/oauth/authorize', urlencoded({ extended: false, limit: '16kb' }), async (request, response) => {
    if (isForeignForm(request, origin))
      return sendPage(response, 400, refusedPage('The decision must come from the consent page.'));
    const form = (request.body ?? {}) as Record<string, unknown>;
    const authorization = accepted(context, form, response);
    if (authorization) await decide(context, authorization, form, response);
  });
  return router;
}

function accepted(context: SandboxContext, parameters: Record<string, unknown>, response: Response) {
  const read = readAuthorizationRequest(parameters, `${context.baseUrl}/oauth/callback/sandbox_oauth`);
  if (read.is === 'valid') return read.request;
  if (read.is === 'refused') sendPage(response, 400, refusedPage(read.detail));
  else answer(context, read, { error: read.error, error_description: read.description }, response);
  return undefined;
}

async function decide(
  context: SandboxContext,
  authorization: AuthorizationRequest,
  form: Record<string, unknown>,
  response: Response,
): Promise<void> {
  const grant = chosen(authorization, form);
  if (form['decision'] === 'never') return sendPage(response, 200, neverPage(authorization));
  if (form['decision'] === 'deny') return answer(context, authorization, { error: 'access_denied' }, response);
  if (form['decision'] !== 'grant' || grant === undefined) {
    return sendPage(response, 400, refusedPage('The form was not filled in as it was offered.'));
  }
  const code = `sbx_code_${randomToken()}`;
  const payload = { ...grant, redirectUri: authorization.redirectUri, codeChallenge: authorization.codeChallenge };
  const expiresAt = new Date(context.clock.now().getTime() + CODE_MS);
  await context.store.put('code', code, { payload, family: randomUUID() }, expiresAt);
  return answer(context, authorization, { code }, response);
}

/** The choices of the form; an absent field means the first choice. Undefined if a value was not offered. */
function chosen(authorization: AuthorizationRequest, form: Record<string, unknown>): Grant | undefined {
  const { account = ACCOUNTS[0]!.id, lifetime = String(LIFETIMES[0]!.seconds), refresh = 'yes' } = form;
  const chosenAccount = ACCOUNTS.find(({ id }) => id === account);
  const chosenLifetime = LIFETIMES.find(({ seconds }) => String(seconds) === lifetime);
  if (!chosenAccount || !chosenLifetime || (refresh !== 'yes' && refresh !== 'no')) return undefined;
  return {
    accountId: chosenAccount.id,
    scopes: authorization.scopes,
    lifetime: chosenLifetime.seconds,
    refreshable: refresh === 'yes',
  };
}

function answer(
  { baseUrl }: SandboxContext,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  parameters: Record<string, string>,
  response: Response,
): void {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  url.searchParams.set('iss', `${baseUrl}/sandbox`);
  response.set('Cache-Control', 'no-store').redirect(303, url.href);
}
