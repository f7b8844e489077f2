import { defineTopic } from '../../platform/notifications/notifications.js';

/** A key was revoked or its expiry changed: drop it from caches, and close its connections if it is no longer valid. */
export const apiKeyChanged = defineTopic<{ keyId: string }>('api_key_changed');
