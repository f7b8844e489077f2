import { Router, type Request } from 'express';
import { randomUUID } from 'node:crypto';
import { sendPage } from '../../platform/pages/page.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { type SandboxContext } from './authorize.router.js';
import { ACCOUNTS, KEY_OWNER, SANDBOX_KEY, SCOPES, type SandboxAccount } from './choices.js';
import { guidePage } from './guide.page.js';
import { jsonBody } from './json-body.js';
import { OAuthError } from './oauth-error.js';
import { type SandboxStore } from './sandbox.store.js';

type Scope = (typeof SCOPES)[number];

interface Caller {
  account: SandboxAccount;
  scopes: readonly string[];
}

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
  return router;
}

async function authorize(store: SandboxStore, request: Request, scope: Scope): Promise<Caller> {
  const caller = await authenticate(store, request);
  if (caller.scopes.includes(scope)) return caller;
  throw new OAuthError(403, 'insufficient_scope', `The token lacks ${scope}.`, {
    'WWW-Authenticate': `Bearer realm="sandbox", error="insufficient_scope", scope="${scope}"`,
  });
}

/** The account and scopes of the Bearer token. @throws OAuthError 401 with a challenge (RFC 6750, 3). */
async function authenticate(store: SandboxStore, request: Request): Promise<Caller> {
  const token = /^Bearer ([\w.~+/-]+=*)$/.exec(request.get('authorization') ?? '')?.[1];
  if (token === undefined) {
    throw new OAuthError(401, 'invalid_request', 'A Bearer token is needed.', {
      'WWW-Authenticate': 'Bearer realm="sandbox"',
    });
  }
  if (token === SANDBOX_KEY) return { account: KEY_OWNER, scopes: SCOPES };
  const held = await store.get('access', token);
  const account = ACCOUNTS.find(({ id }) => id === held?.payload.accountId);
  if (held && account) return { account, scopes: held.payload.scopes };
  throw new OAuthError(401, 'invalid_token', 'The token is unknown, revoked or expired.', {
    'WWW-Authenticate': 'Bearer realm="sandbox", error="invalid_token"',
  });
}
