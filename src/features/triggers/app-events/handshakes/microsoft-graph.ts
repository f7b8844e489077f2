import { AppError, validationError } from '../../../../platform/errors.js';
import { textAt } from '../../../integrations/apps/text-at.js';
import { isSameSecret } from '../../../../platform/encryption/secrets.js';
import { defineHandshake, type Notification } from './define-handshake.js';

/** Far more than Graph sends at once. Bounded because each is compared with all triggers that wait for its event. */
const MAX_NOTIFICATIONS = 1_000;

/**
 * Graph expects an echo of `validationToken` within 10 s. It puts several notifications into one post, each with the
 * `clientState` of its subscription: https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
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
    // Other members of the post belong to no single notification and would be stored once for each.
    const rest = all.length === 1 ? (body as object) : {};
    return known.filter(isChange).map((one) => toNotification(rest, one as Record<string, unknown>));
  },
});

function listIn(body: unknown): readonly unknown[] {
  const list = typeof body === 'object' && body !== null && 'value' in body ? body.value : undefined;
  return Array.isArray(list) ? list : [];
}

/** Lifecycle notifications concern the subscription itself: it ends, or notifications were lost. */
function isChange(notification: unknown): boolean {
  return textAt(notification, 'lifecycleEvent') === undefined;
}

/** Removes `clientState`: it is a secret, and runs show their input. */
function toNotification(rest: object, { clientState: _, ...notification }: Record<string, unknown>): Notification {
  const { subscriptionId, resource, changeType, resourceData } = notification;
  const etag = (resourceData as Record<string, unknown> | null | undefined)?.['@odata.etag'];
  const delivery = typeof etag === 'string' ? JSON.stringify([subscriptionId, resource, changeType, etag]) : undefined;
  return { post: { ...rest, value: [notification] }, delivery };
}
