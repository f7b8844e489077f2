import { type IncomingHttpHeaders } from 'node:http';
import { headerOf } from '../hooks/inbound-headers.js';
import { type EventSource } from '../../integrations/apps/app.js';
import { textAt } from '../../integrations/apps/text-at.js';

/** Headers that identify a delivery, and that no app uses for anything else. */
const KNOWN_HEADERS = ['webhook-id', 'X-GitHub-Delivery'];

/** The id that all deliveries of one event share; undefined without one: then each delivery counts as a new event. */
export function deliveryIdOf(source: EventSource, headers: IncomingHttpHeaders, body: unknown): string | undefined {
  const path = pathOf(source);
  const inBody = path === undefined ? undefined : textAt(body, path);
  const names = source.delivery !== null && 'header' in source.delivery ? [source.delivery.header] : KNOWN_HEADERS;
  const [found] = [inBody, ...names.map((name) => headerOf(headers, name))].filter((value) => value);
  return found;
}

/** The path of the id in the body, e.g. Slack's `event_id` or Stripe's `id`. */
function pathOf({ delivery, signature, handshake }: EventSource): string | undefined {
  if (delivery !== null) return 'jsonPath' in delivery ? delivery.jsonPath : undefined;
  if (signature?.scheme === 'slack' || handshake === 'slack') return 'event_id';
  return signature?.scheme === 'stripe' ? 'id' : undefined;
}
