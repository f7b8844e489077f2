import { defineTopic } from '../../platform/notifications/notifications.js';

/** A key was revoked, or its end was set: forget what is known of it and close its sockets if it is over. */
export const apiKeyChanged = defineTopic<{ keyId: string }>('api_key_changed');
