import { html } from '../../../platform/pages/html.js';
import { renderPage } from '../../../platform/pages/page.js';

/** The result of a callback. The page posts `message` to its opener, only if that has the origin `targetOrigin`. */
export interface CallbackOutcome {
  outcome: 'connected' | 'denied' | 'failed' | 'unknown_state';
  /** The application's name for people. */
  appName?: string | undefined;
  /** A status reason (`exchange_failed`, …), shown for support. */
  reason?: string | undefined;
  /** Absent if the state belongs to no flow. */
  message?: { integration_id: string; status: string } | undefined;
  targetOrigin?: string | undefined;
}

interface Wording {
  mark: string;
  tone: 'good' | 'bad';
  title: (app: string) => string;
  detail: string;
}

const WORDINGS: Record<CallbackOutcome['outcome'], Wording> = {
  connected: {
    mark: '✓',
    tone: 'good',
    title: (app) => `${app} is connected`,
    detail: 'Your workflows can use it now. You can close this window.',
  },
  denied: {
    mark: '✕',
    tone: 'bad',
    title: (app) => `${app} was not connected`,
    detail: 'Access was denied, so nothing was stored. You can close this window and connect again at any time.',
  },
  failed: {
    mark: '!',
    tone: 'bad',
    title: (app) => `${app} could not be connected`,
    detail: 'Access was granted, but the connection failed. You can close this window and start the connection again.',
  },
  unknown_state: {
    mark: '!',
    tone: 'bad',
    title: () => 'This link is no longer valid',
    detail:
      'It was used before, is older than ten minutes, or is not one of our links. Nothing was changed. ' +
      'Close this window and start the connection again.',
  },
};

/** The page at the end of an OAuth flow. @throws TypeError for the target origin `*`, which would match any page. */
export function callbackPage({ outcome, appName, reason, message, targetOrigin }: CallbackOutcome): string {
  if (targetOrigin === '*') throw new TypeError('A message about a connection needs one origin to go to.');
  const { mark, tone, title, detail } = WORDINGS[outcome];
  const heading = title(appName ?? 'The application');
  return renderPage({
    title: heading,
    width: 'narrow',
    scripts: ['callback.js'],
    body: html`<section
      class="card"
      id="outcome"
      ${
        message !== undefined &&
        targetOrigin !== undefined &&
        html` data-integration-id="${message.integration_id}" data-status="${message.status}"
        data-target-origin="${targetOrigin}"`
      }
    >
      <div class="outcome ${tone}" aria-hidden="true">${mark}</div>
      <h1>${heading}</h1>
      <p>${detail}</p>
      ${reason !== undefined && html`<p class="soft small">Reason: <code>${reason}</code></p>`}
      <p class="actions">
        <button id="close" class="primary" type="button" hidden>Close this window</button
        ><a class="button" href="/">Go to the service</a>
      </p>
    </section>`,
  });
}

/** The page of a callback that could not begin. The browser loads `url` again by itself, or by the link. */
export function callbackLaterPage(appName: string, url: string): string {
  return renderPage({
    title: `${appName} is being connected`,
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome" aria-hidden="true">…</div>
      <h1>${appName} is being connected</h1>
      <p>The service is very busy at the moment, and nothing is lost. This page tries again every few seconds.</p>
      <p class="actions"><a class="button" href="${url}">Try again now</a></p>
    </section>`,
  });
}

/** The content of the start page, and the same-origin URL that its form posts to. */
export interface ConnectionStart {
  appName: string;
  scopes: readonly string[];
  label?: string | undefined;
  action: string;
  csrf?: string | undefined;
}

/**
 * The page at `/connect/:ticket`. Opening it changes nothing, because mail scanners open links; only its form starts
 * the flow. Send it with `REDIRECTING_FORM`, because the response to the form redirects to the application.
 */
export function startPage({ appName, scopes, label, action, csrf }: ConnectionStart): string {
  return renderPage({
    title: `Connect ${appName}`,
    width: 'narrow',
    body: html`<section class="card">
      <h1>Connect ${appName}</h1>
      <p>You go to ${appName} next. It asks you to sign in and to allow access, then brings you back here.</p>
      ${
        (label !== undefined || scopes.length > 0) &&
        html`<dl class="facts">
          ${
            label !== undefined &&
            html`<dt>Connection</dt>
              <dd>${label}</dd>`
          }
          ${
            scopes.length > 0 &&
            html`<dt>Access asked for</dt>
              <dd>${scopes.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`)}</dd>`
          }
        </dl>`
      }
      <form method="post" action="${action}">
        ${csrf !== undefined && html`<input type="hidden" name="csrf" value="${csrf}" />`}
        <p class="actions"><button class="primary" type="submit">Continue to ${appName}</button></p>
      </form>
      <p class="soft small">
        Your password stays with ${appName}. Nothing happens until you continue; if you did not request this, close the
        page.
      </p>
    </section>`,
  });
}

/** A page for a refused request (400, 403, 404), with a sentence for people. */
export function errorPage({ title, detail }: { title: string; detail: string }): string {
  return renderPage({
    title,
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome bad" aria-hidden="true">!</div>
      <h1>${title}</h1>
      <p>${detail}</p>
      <p class="actions"><a class="button" href="/">Go to the service</a></p>
    </section>`,
  });
}

/** The page that refuses a form posted by another site. */
export function foreignFormPage(): string {
  return errorPage({
    title: 'This request did not come from our page',
    detail: 'Open the link again and press its button.',
  });
}
