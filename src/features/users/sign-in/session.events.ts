import { defineTopic } from '../../../platform/notifications/notifications.js';

/** Sessions of a user may have ended. Handlers drop cached callers and close the connections of ended sessions. */
export const sessionsEnded = defineTopic<{ userId: string }>('sessions_ended');
