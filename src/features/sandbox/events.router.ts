import { Router, urlencoded } from 'express';
import { UNKNOWN_BYTES } from '../../platform/admission/body-budget.js';
import { hopsOf } from '../../platform/http/inbound/hops.js';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { sendPage } from '../../platform/pages/page.js';
import { emitEvent, type Emission } from './emit-event.js';
import { emittedPage, emitPage } from './events.page.js';
import { jsonBody } from './json-body.js';
import { OAuthError } from './oauth-error.js';

/** Sends an event of the sandbox application, from a form or from JSON. */
export function eventsRouter({ baseUrl, outbound }: { baseUrl: string; outbound: Outbound }): Router {
  const router = Router();
  router.get('/events', (_request, response) => sendPage(response, 200, emitPage(baseUrl)));
  router.post(
    '/events',
    jsonBody(),
    urlencoded({ extended: false, limit: UNKNOWN_BYTES }),
    async (request, response) => {
      const isForm = typeof request.is('urlencoded') === 'string';
      const fields = (request.body ?? {}) as Record<string, unknown>;
      const delivery = await emitEvent(outbound, baseUrl, {
        ...readEmission(fields, isForm),
        hops: hopsOf(request.headers),
      });
      if (isForm) return sendPage(response, 200, emittedPage(delivery));
      response.set('Cache-Control', 'no-store').json(delivery);
    },
  );
  return router;
}

/** The payload is a JSON text in a form, and any value in JSON. @throws OAuthError for a missing field. */
function readEmission(fields: Record<string, unknown>, isForm: boolean): Omit<Emission, 'hops'> {
  const { payload = isForm ? '' : {}, delivery_id: deliveryId } = fields;
  return {
    url: required(fields, 'url'),
    secret: required(fields, 'secret'),
    event: required(fields, 'event'),
    payload: isForm ? String(payload) : JSON.stringify(payload),
    deliveryId: typeof deliveryId === 'string' && deliveryId !== '' ? deliveryId : undefined,
  };
}

function required(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new OAuthError(400, 'invalid_request', `${name} is required.`);
}
