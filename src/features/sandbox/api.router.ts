import { Router } from 'express';
import { randomUUID } from 'node:crypto';
import { sendPage } from '../../platform/pages/page.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { type SandboxContext } from './authorize.router.js';
import { authenticate, authorize } from './authenticate.js';
import { guidePage } from './guide.page.js';
import { jsonBody } from './json-body.js';
import { OAuthError } from './oauth-error.js';

const CONTACTS = [
  { id: 'contact_1', name: 'Charles Babbage', email: 'charles@sandbox.example' },
  { id: 'contact_2', name: 'Katherine Johnson', email: 'katherine@sandbox.example' },
];

/** The API of the sandbox application, used by actions and identity checks, and the guide page that describes it. */
export function apiRouter({ baseUrl, store }: SandboxContext): Router {
  const router = Router();
  router.get('/', (_request, response) => sendPage(response, 200, guidePage(baseUrl)));
  router.get('/me', async (request, response) => {
    response.set('Cache-Control', 'no-store').json((await authenticate(store, request)).account);
  });
  router.get('/api/contacts', async (request, response) => {
    await authorize(store, request, 'contacts.read');
    response.set('Cache-Control', 'no-store').json({ data: CONTACTS });
  });
  // Stores nothing: returns the contact as sent. The id is derived from the Idempotency-Key, so repeating it repeats
  // the id.
  router.post('/api/contacts', jsonBody(), async (request, response) => {
    const { account } = await authorize(store, request, 'contacts.write');
    const key = request.get('Idempotency-Key');
    const id = key === undefined ? randomUUID() : sha256(`${account.id}:${key}`).toString('hex').slice(0, 32);
    response.status(201).set('Cache-Control', 'no-store');
    response.json({ ...(request.body as object | undefined), id: `contact_${id}`, owner: account.id });
  });
  router.all('/api/status/:status', async (request, response) => {
    await authenticate(store, request);
    const status = Number(request.params.status);
    if (!/^[2-5]\d\d$/.test(request.params.status))
      throw new OAuthError(400, 'invalid_request', 'The status must be a number from 200 to 599.');
    const { retry_after: retryAfter } = request.query;
    if (typeof retryAfter === 'string' && PRINTABLE.test(retryAfter)) response.set('Retry-After', retryAfter);
    response.status(status).set('Cache-Control', 'no-store').json({ status });
  });
  return router;
}

/** What a header may contain, within reason. */
const PRINTABLE = /^[\x20-\x7e]{1,100}$/;
