/** A config with a text at one place for which its kind has a special rule; the integration exists. */
export type ConfigWith = (text: string, integration: string) => Record<string, unknown>;

const http = { method: 'POST', url: 'https://api.example.com/orders' };
const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Line' };

/** Texts in the configs of actions, by kind. */
export const ACTION_CONFIGS: readonly (readonly [kind: string, place: string, ConfigWith])[] = [
  ['http_request', 'method', (text) => ({ ...http, method: text })],
  ['http_request', 'url', (text) => ({ ...http, url: text })],
  ['http_request', 'path of url', (text) => ({ ...http, url: `https://api.example.com/${text}` })],
  ['http_request', 'header', (text) => ({ ...http, headers: { 'X-A': text } })],
  ['http_request', 'name of a header', (text) => ({ ...http, headers: Object.fromEntries([[text, 'a']]) })],
  ['http_request', 'body', (text) => ({ ...http, body: text })],
  ['http_request', 'key in body', (text) => ({ ...http, body: Object.fromEntries([[text, [text]]]) })],
  ['app_request', 'path', (text, integration) => ({ integration_id: integration, method: 'GET', path: `/${text}` })],
  ['condition', 'path', (text) => ({ path: text, operator: 'exists' })],
  ['condition', 'operator', (text) => ({ path: 'trigger.body.a', operator: text, value: 1 })],
  ['condition', 'value', (text) => ({ path: 'trigger.body.a', operator: 'equals', value: text })],
  ['delay', 'seconds', (text) => ({ seconds: text })],
  ['send_email', 'to', (text) => ({ ...mail, to: text })],
  ['send_email', 'subject', (text) => ({ ...mail, subject: text })],
  ['send_email', 'text', (text) => ({ ...mail, text })],
];

/** Texts in the configs of triggers, by type. */
export const TRIGGER_CONFIGS: readonly (readonly [type: string, place: string, ConfigWith])[] = [
  ['webhook', 'secret', (text) => ({ secret: text })],
  ['webhook', 'signature_header', (text) => ({ secret: 's', signature_header: text })],
  ['webhook', 'dedupe_header', (text) => ({ dedupe_header: text })],
  ['schedule', 'cron', (text) => ({ cron: text })],
  ['schedule', 'timezone', (text) => ({ cron: '* * * * *', timezone: text })],
  ['schedule', 'catch_up', (text) => ({ cron: '* * * * *', catch_up: text })],
  ['app_event', 'event', (text) => ({ event: text })],
  ['app_event', 'filter', (text) => ({ event: 'contact.created', filter: Object.fromEntries([[text, text]]) })],
];
