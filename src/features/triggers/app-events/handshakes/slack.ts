import { textAt } from '../../../integrations/apps/text-at.js';
import { defineHandshake } from './define-handshake.js';

/** Echoes the challenge of a `url_verification`: https://docs.slack.dev/reference/events/url_verification */
export const slack = defineHandshake({
  name: 'slack',
  ofBody: (body) => (textAt(body, 'type') === 'url_verification' ? (textAt(body, 'challenge') ?? '') : undefined),
});
