import { Router, urlencoded, type Request, type Response } from 'express';
import { isForeignForm } from '../../../platform/http/inbound/same-origin.js';
import { sendPage } from '../../../platform/pages/page.js';
import { ACCOUNTS } from '../choices.js';
import { controlsPage } from './controls.page.js';
import { jsonBody } from '../json-body.js';
import { OAuthError } from '../oauth-error.js';
import { type SandboxContext } from '../authorize.router.js';

/** Breaks connections from outside, as the user of a real application can: by a form or by JSON. */
export function controlsRouter({ baseUrl, store }: SandboxContext): Router {
  const router = Router();
  const { origin } = new URL(baseUrl);
  const fieldsOf = (request: Request): Record<string, unknown> => {
    if (isForeignForm(request, origin))
      throw new OAuthError(403, 'access_denied', 'The request must come from a page of the sandbox.');
    return (request.body ?? {}) as Record<string, unknown>;
  };
  const done = async (request: Request, response: Response): Promise<void> => {
    const isKeyRefused = await store.isKeyRefused();
    if (typeof request.is('urlencoded') === 'string')
      return sendPage(response, 200, controlsPage({ isKeyRefused, isChanged: true }));
    response.set('Cache-Control', 'no-store').json({ key: isKeyRefused ? 'refused' : 'valid' });
  };
  const bodies = [jsonBody(), urlencoded({ extended: false, limit: '16kb' })];

  router.get('/controls', async (_request, response) => {
    sendPage(response, 200, controlsPage({ isKeyRefused: await store.isKeyRefused(), isChanged: false }));
  });
  router.post('/controls/key', ...bodies, async (request, response) => {
    const { key } = fieldsOf(request);
    if (key !== 'valid' && key !== 'refused')
      throw new OAuthError(400, 'invalid_request', 'key must be valid or refused.');
    await store.refuseKey(key === 'refused');
    await done(request, response);
  });
  router.post('/controls/tokens', ...bodies, async (request, response) => {
    const { account, tokens = 'all' } = fieldsOf(request);
    const found = ACCOUNTS.find(({ id }) => id === account);
    if (found === undefined)
      throw new OAuthError(
        400,
        'invalid_request',
        `account must be one of ${ACCOUNTS.map(({ id }) => id).join(', ')}.`,
      );
    if (tokens !== 'all' && tokens !== 'access')
      throw new OAuthError(400, 'invalid_request', 'tokens must be all or access.');
    await store.removeOf(found.id, tokens === 'all' ? ['access', 'refresh'] : ['access']);
    await done(request, response);
  });
  return router;
}
