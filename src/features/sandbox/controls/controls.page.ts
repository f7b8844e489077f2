import { html } from '../../../platform/pages/html.js';
import { renderPage } from '../../../platform/pages/page.js';
import { ACCOUNTS, SANDBOX_KEY } from '../choices.js';

/** What the page shows. */
export interface ControlsState {
  isKeyRefused: boolean;
  isChanged: boolean;
}

/** The page with which a person breaks and mends connections to the sandbox. */
export function controlsPage({ isKeyRefused, isChanged }: ControlsState): string {
  return renderPage({
    title: 'Break a connection · Sandbox',
    width: 'narrow',
    banner: 'Sandbox application',
    body: html`<section class="card">
      <h1>${isChanged ? 'Done' : 'Break a connection'}</h1>
      <p class="soft">As the user of a real application can: the service learns of it at its next call.</p>
      <form method="post" action="/sandbox/controls/key">
        <p>
          The key <code>${SANDBOX_KEY}</code> is ${isKeyRefused ? 'refused' : 'valid'}, for everybody who uses this
          service.
        </p>
        <p class="actions">
          <button type="submit" name="key" value="${isKeyRefused ? 'valid' : 'refused'}">
            ${isKeyRefused ? 'Take the key again' : 'Refuse the key'}
          </button>
        </p>
      </form>
      ${ACCOUNTS.map(
        ({ id, name }) =>
          html`<form method="post" action="/sandbox/controls/tokens">
            <input type="hidden" name="account" value="${id}" />
            <p>The tokens of ${name}</p>
            <p class="actions">
              <button type="submit" name="tokens" value="access">Revoke access tokens</button>
              <button type="submit" name="tokens" value="all">Revoke all tokens</button>
            </p>
          </form>`,
      )}
    </section>`,
  });
}
