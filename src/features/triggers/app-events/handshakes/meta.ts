import { AppError } from '../../../../platform/errors.js';
import { isSameSecret } from '../../../../platform/encryption/secrets.js';
import { defineHandshake } from './define-handshake.js';

/**
 * Echoes `hub.challenge` if `hub.verify_token` is the secret:
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
export const meta = defineHandshake({
  name: 'meta',
  queryMethod: 'GET',
  ofQuery(query, secret) {
    if (query.get('hub.mode') !== 'subscribe') return undefined;
    if (secret === null || !isSameSecret(query.get('hub.verify_token') ?? '', secret)) {
      throw new AppError('unauthorized', 'hub.verify_token is not the secret of this address.');
    }
    return query.get('hub.challenge') ?? '';
  },
});
