import { createHmac } from 'node:crypto';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { randomToken } from '../../platform/encryption/secrets.js';
import { OAuthError } from './oauth-error.js';

const EMIT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/** An event that the sandbox application should send. */
export interface Emission {
  /** The integration's `eventsUrl`. */
  url: string;
  /** Its `eventsSecret`. */
  secret: string;
  event: string;
  /** A JSON text, posted unchanged. */
  payload: string;
  /** The same id again makes a redelivery. Undefined: a new id. */
  deliveryId: string | undefined;
  /** How many runs in a row led to it: a workflow may fire itself this way. */
  hops: number;
}

/** The receiver's response, as the sandbox reports it. */
export interface Delivery {
  delivery_id: string;
  status: number;
  answer: unknown;
}

/**
 * Signs an event and posts it to this service, as an outside application would. @throws OAuthError if it can't be sent.
 */
export async function emitEvent(outbound: Outbound, baseUrl: string, emission: Emission): Promise<Delivery> {
  const { secret, event, payload, hops, deliveryId = `evt_${randomToken(12)}` } = emission;
  const signature = `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`;
  try {
    const answer = await outbound.request({
      url: addressOf(emission.url, baseUrl),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-sandbox-event': event,
        'x-sandbox-signature': signature,
        'webhook-id': deliveryId,
        'workflow-hops': String(hops),
      },
      body: payload,
      timeoutMs: EMIT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      trust: 'operator',
    });
    return { delivery_id: deliveryId, status: answer.status, answer: answer.json() };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new OAuthError(400, 'not_delivered', error.message);
  }
}

/** Only the service's own events URLs are accepted, so that the sandbox can't be used to send requests elsewhere. */
function addressOf(url: string, baseUrl: string): string {
  const token = /\/events\/([A-Za-z0-9_-]{43})$/.exec(url)?.[1];
  if (token === undefined || url !== `${baseUrl}/events/${token}`) {
    throw new OAuthError(400, 'invalid_request', `url must be the eventsUrl of an integration: ${baseUrl}/events/…`);
  }
  return url;
}
