import { defineTopic } from '../../../platform/notifications/notifications.js';

/** Sessions of a user may have ended: forget what is known of them, and close the connections of those that are over. */
export const sessionsEnded = defineTopic<{ userId: string }>('sessions_ended');
