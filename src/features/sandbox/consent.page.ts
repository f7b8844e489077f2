import { html, type Html } from '../../platform/pages/html.js';
import { renderPage } from '../../platform/pages/page.js';
import { parametersOf, type AuthorizationRequest } from './authorization-request.js';
import { ACCOUNTS, LIFETIMES } from './choices.js';

/** Path of the authorization endpoint, which the consent form posts to. */
const AUTHORIZE_PATH = '/sandbox/oauth/authorize';

const BANNER = 'Sandbox application';

/** The consent page: choose account and token lifetime, then grant, deny or never answer. */
export function consentPage(request: AuthorizationRequest): string {
  return renderPage({
    title: 'Allow access? · Sandbox',
    width: 'narrow',
    banner: BANNER,
    body: html`<form class="card" method="post" action="${AUTHORIZE_PATH}">
      <h1>Allow Workflow Gateway to use your sandbox account?</h1>
      <p class="soft">
        This plays the part of an application that your workflows connect to. Nothing leaves this service.
      </p>
      <dl class="facts">
        <dt>It asks for</dt>
        <dd>${request.scopes.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`)}</dd>
      </dl>
      ${Object.entries(parametersOf(request)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `)}
      ${choice(
        'account',
        'You are',
        ACCOUNTS.map(({ id, name }) => ({ value: id, label: name })),
      )}
      ${choice(
        'lifetime',
        'Access tokens live for',
        LIFETIMES.map(({ seconds, label }) => ({ value: String(seconds), label })),
      )}
      ${choice('refresh', 'When they end', [
        { value: 'yes', label: 'a refresh token renews them' },
        { value: 'no', label: 'nothing renews them' },
      ])}
      <p class="actions">
        <button class="primary" type="submit" name="decision" value="grant">Grant</button>
        <button type="submit" name="decision" value="deny">Deny</button>
        <button class="quiet" type="submit" name="decision" value="never">Never answer</button>
      </p>
    </form>`,
  });
}

/** The page after "Never answer": no redirect happens, as if the person had closed the window. */
export function neverPage(request: AuthorizationRequest): string {
  const again = `${AUTHORIZE_PATH}?${new URLSearchParams(parametersOf(request)).toString()}`;
  return renderPage({
    title: 'Nothing was sent · Sandbox',
    width: 'narrow',
    banner: BANNER,
    body: html`<section class="card">
      <h1>Nothing was sent</h1>
      <p>
        The service still waits for an answer and gives up ten minutes after its request. You can close this page, or go
        back and answer after all.
      </p>
      <p class="actions"><a class="button" href="${again}">Back to the question</a></p>
    </section>`,
  });
}

/** The page for a request that must not be redirected (RFC 6749, 4.1.2.1). */
export function refusedPage(detail: string): string {
  return renderPage({
    title: 'Request refused · Sandbox',
    width: 'narrow',
    banner: BANNER,
    body: html`<section class="card">
      <div class="outcome bad" aria-hidden="true">!</div>
      <h1>This request was refused</h1>
      <p>${detail}</p>
      <p class="actions"><a class="button" href="/">Go to the service</a></p>
    </section>`,
  });
}

function choice(name: string, label: string, options: { value: string; label: string }[]): Html {
  return html`<label class="field"
    >${label}
    <select name="${name}">
      ${options.map((option) => html`<option value="${option.value}">${option.label}</option>`)}
    </select>
  </label>`;
}
