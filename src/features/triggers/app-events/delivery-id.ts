import { type IncomingHttpHeaders } from 'node:http';
import { headerOf } from '../hooks/inbound-headers.js';
import { type EventSource } from '../../integrations/apps/app.js';
import { textAt } from '../../integrations/apps/text-at.js';

/** What tells a redelivery: names of deliveries that no application uses for anything else. */
const KNOWN_HEADERS = ['webhook-id', 'X-GitHub-Delivery'];

/** What is the same each time that one event is delivered; undefined where nothing tells, and each delivery counts. */
export function deliveryIdOf(source: EventSource, headers: IncomingHttpHeaders, body: unknown): string | undefined {
  const path = pathOf(source);
  const inBody = path === undefined ? undefined : textAt(body, path);
  const names = source.delivery !== null && 'header' in source.delivery ? [source.delivery.header] : KNOWN_HEADERS;
  const [found] = [inBody, ...names.map((name) => headerOf(headers, name))].filter((value) => value);
  return found;
}

/** Where the body has it: Slack's `event_id`, Stripe's `id`. */
function pathOf({ delivery, signature, handshake }: EventSource): string | undefined {
  if (delivery !== null) return 'jsonPath' in delivery ? delivery.jsonPath : undefined;
  if (signature?.scheme === 'slack' || handshake === 'slack') return 'event_id';
  return signature?.scheme === 'stripe' ? 'id' : undefined;
}
