import { html } from '../../../platform/pages/html.js';
import { renderPage } from '../../../platform/pages/page.js';

/** The page of a wait that its run has not reached. */
export function notNeededYetPage(): string {
  return renderPage({
    title: 'Nothing is needed yet',
    width: 'narrow',
    body: html`<section class="card">
      <h1>Nothing is needed yet</h1>
      <p>You may be asked here to connect an application. Keep this link, and open it again later.</p>
    </section>`,
  });
}

/** The page of a wait that is over without a connection. */
export function connectionOverPage(): string {
  return renderPage({
    title: 'This connection is no longer needed',
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome bad" aria-hidden="true">!</div>
      <h1>This connection is no longer needed</h1>
      <p>The time for it has passed, or what it was for has ended. Ask the sender of the link.</p>
    </section>`,
  });
}

/** The page of a made-up link. */
export function unknownWaitPage(): string {
  return renderPage({
    title: 'This link is not valid',
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome bad" aria-hidden="true">!</div>
      <h1>This link is not valid</h1>
      <p>It was not copied completely, or what it was for is no longer stored. Ask the sender for a new one.</p>
    </section>`,
  });
}
