import { AppError, validationError } from '../../../../platform/errors.js';
import { textAt } from '../../../integrations/apps/text-at.js';
import { isSameSecret } from '../../../../platform/encryption/secrets.js';
import { defineHandshake, type Notification } from './define-handshake.js';

/** Many times what Graph sends at once: each is compared with all triggers that wait for its event. */
const MAX_NOTIFICATIONS = 1_000;

/**
 * Echoes `validationToken`, within 10 s, and puts several notifications into one post, each with the `clientState` of its
 * subscription: https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
 */
export const microsoft_graph = defineHandshake({
  name: 'microsoft_graph',
  queryMethod: 'POST',
  ofQuery: (query) => query.get('validationToken') ?? undefined,
  notificationsIn(body, secret) {
    const all = listIn(body);
    if (all.length > MAX_NOTIFICATIONS)
      throw validationError({ field: 'value', message: `may hold at most ${MAX_NOTIFICATIONS} notifications` });
    const known = all.filter((one) => secret !== null && isSameSecret(textAt(one, 'clientState') ?? '', secret));
    if (known.length === 0)
      throw new AppError('unauthorized', 'No notification has the clientState of this address: its eventsSecret.');
    // What else a post holds belongs to none of several, and would be stored once for each.
    const rest = all.length === 1 ? (body as object) : {};
    return known.filter(isChange).map((one) => toNotification(rest, one as Record<string, unknown>));
  },
});

function listIn(body: unknown): readonly unknown[] {
  const list = typeof body === 'object' && body !== null && 'value' in body ? body.value : undefined;
  return Array.isArray(list) ? list : [];
}

/** The others tell of the subscription itself: that it ends, or that notifications were lost. */
function isChange(notification: unknown): boolean {
  return textAt(notification, 'lifecycleEvent') === undefined;
}

/** Without `clientState`: it is a secret, and runs show what they were fired with. */
function toNotification(rest: object, { clientState: _, ...notification }: Record<string, unknown>): Notification {
  const { subscriptionId, resource, changeType, resourceData } = notification;
  const etag = (resourceData as Record<string, unknown> | null | undefined)?.['@odata.etag'];
  const delivery = typeof etag === 'string' ? JSON.stringify([subscriptionId, resource, changeType, etag]) : undefined;
  return { post: { ...rest, value: [notification] }, delivery };
}
