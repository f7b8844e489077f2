import { html } from '../../platform/pages/html.js';
import { renderPage } from '../../platform/pages/page.js';
import { SANDBOX_KEY } from './choices.js';

/** The page that lists what the sandbox application offers: endpoints, API key, events. */
export function guidePage(baseUrl: string): string {
  return renderPage({
    title: 'Sandbox',
    width: 'narrow',
    banner: 'Sandbox application',
    body: html`<section class="card">
      <h1>The sandbox’s API</h1>
      <p class="soft">
        The sandbox plays the part of an application, so that you can try everything without an outside account. Nothing
        leaves this service.
      </p>
      <dl class="facts">
        <dt>Paths follow</dt>
        <dd><code>${baseUrl}/sandbox</code></dd>
        <dt><code>GET /me</code></dt>
        <dd>The connected account</dd>
        <dt><code>GET /api/contacts</code></dt>
        <dd>Two contacts; needs <code>contacts.read</code></dd>
        <dt><code>POST /api/contacts</code></dt>
        <dd>Returns the JSON object of the request with an id; needs <code>contacts.write</code></dd>
        <dt><code>POST /api/callbacks</code></dt>
        <dd>
          Posts <code>body</code> to <code>url</code> after <code>delay_seconds</code> (0 to 60); needs
          <code>contacts.write</code>. It reaches what an <code>http_request</code> reaches, and a restart loses what
          waits.
        </dd>
        <dt><code>/api/status/429?retry_after=2</code></dt>
        <dd>Any method: answers with this status, 200 to 599, and with <code>Retry-After</code> if it is given</dd>
        <dt>API key</dt>
        <dd><code>${SANDBOX_KEY}</code> opens all of it; every other key is refused</dd>
      </dl>
      <p class="actions">
        <a class="button" href="/sandbox/events">Send an event</a>
        <a class="button" href="/sandbox/controls">Break a connection</a>
      </p>
    </section>`,
  });
}
