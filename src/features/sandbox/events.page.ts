import { html } from '../../platform/pages/html.js';
import { renderPage } from '../../platform/pages/page.js';
import { type Delivery } from './emit-event.js';

const EMIT_PATH = '/sandbox/events';
const BANNER = 'Sandbox application';
const EXAMPLE = '{\n  "contact": { "id": "contact_1", "name": "Charles Babbage" }\n}';

/** The form that makes the sandbox application send an event. */
export function emitPage(baseUrl: string): string {
  return renderPage({
    title: 'Send an event · Sandbox',
    width: 'narrow',
    banner: BANNER,
    scripts: ['event.js'],
    body: html`<form class="card" method="post" action="${EMIT_PATH}">
      <h1>Send an event</h1>
      <p class="soft">
        The sandbox application posts it as if it had happened there. The page of a sandbox connection in the dashboard
        shows its event URL and signing secret; in GraphQL they are <code>eventsUrl</code> and
        <code>eventsSecret</code>.
      </p>
      <label class="field">Event URL<input name="url" required placeholder="${baseUrl}/events/…" /></label>
      <label class="field">Signing secret<input name="secret" required autocomplete="off" /></label>
      <label class="field"
        >Event
        <select name="event">
          <option>contact.created</option>
          <option>contact.updated</option>
          <option>item.created</option>
        </select>
      </label>
      <label class="field">Payload (JSON)<textarea name="payload" rows="6">${EXAMPLE}</textarea></label>
      <label class="field"
        >Delivery id (repeat one for a redelivery)<input name="delivery_id" placeholder="A new one" />
      </label>
      <p class="actions"><button class="primary" type="submit">Send</button></p>
    </form>`,
  });
}

/** The result of sending an event: delivery id, status and response. */
export function emittedPage({ delivery_id: id, status, answer }: Delivery): string {
  return renderPage({
    title: 'Sent · Sandbox',
    width: 'narrow',
    banner: BANNER,
    body: html`<section class="card">
      <h1>${status === 202 ? 'The event was accepted' : 'The event was refused'}</h1>
      <dl class="facts">
        <dt>Delivery id</dt>
        <dd><code>${id}</code></dd>
        <dt>Status</dt>
        <dd>${String(status)}</dd>
        <dt>Answer</dt>
        <dd><code>${JSON.stringify(answer)}</code></dd>
      </dl>
      ${
        isWithoutRun(answer) &&
        html`<p class="soft">
          No trigger waited for this event, so it started no run. A trigger of type “App event” with this event and this
          connection does.
        </p>`
      }
      <p class="actions"><a class="button" href="${EMIT_PATH}">Send another</a></p>
    </section>`,
  });
}

/** An accepted event that no trigger waited for: its response has an empty list of runs. */
function isWithoutRun(answer: unknown): boolean {
  const runs = (answer as { run_ids?: unknown } | null)?.run_ids;
  return Array.isArray(runs) && runs.length === 0;
}
