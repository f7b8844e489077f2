import { registerEnumType } from 'type-graphql';
import { type App } from './apps/app.js';
import { type AppRegistry } from './apps/registry.js';

/**
 * The secrets in an integration's row: `made` by this service, and `set` by the client, if the provider generated it.
 */
export interface OwnSecrets {
  made: string;
  set: string | null;
}

/** How an integration's event posts are authenticated. */
export const EventsProof = {
  MADE: 'made',
  SET: 'set',
  APPLICATION: 'application',
  MISSING: 'missing',
  NONE: 'none',
} as const;
export type EventsProof = (typeof EventsProof)[keyof typeof EventsProof];

registerEnumType(EventsProof, {
  name: 'EventsProof',
  description: 'How posts of events are authenticated.',
  valuesConfig: {
    MADE: { description: 'By a secret that the service generated: give `eventsSecret` to the application.' },
    SET: { description: 'By the secret that the application generated, set by `updateIntegration`.' },
    APPLICATION: { description: 'By one secret for all integrations of the type, set by the operator.' },
    MISSING: {
      description: 'Not at all: the application generates a secret, but it is not set. Unsigned posts are accepted.',
    },
    NONE: { description: 'Not at all: the application does not sign its posts. Only the URL is secret.' },
  },
});

/** Which secret authenticates the events of an integration. `isSet`: the integration has a provider's secret. */
export function eventsProofOf(apps: AppRegistry, app: App, isSet: boolean): EventsProof {
  if (!provesEvents(app)) return EventsProof.NONE;
  if (isSet) return EventsProof.SET;
  if (apps.signatureSecretOf(app) !== undefined) return EventsProof.APPLICATION;
  return app.eventSource?.secretOf === 'integration' ? EventsProof.MADE : EventsProof.MISSING;
}

/** Whether an application's posts or handshake use a secret. */
export function provesEvents({ eventSource }: App): boolean {
  if (eventSource === null) return false;
  return eventSource.signature !== null || SECRET_HANDSHAKES.has(eventSource.handshake);
}

/** Meta sends the secret when it verifies the URL, Microsoft Graph with each notification. */
const SECRET_HANDSHAKES = new Set<string | null>(['meta', 'microsoft_graph']);

/** The secret that authenticates the events of an integration; null if there is none yet. */
export function eventsSecretOf(apps: AppRegistry, app: App, { made, set }: OwnSecrets): string | null {
  if (set !== null) return set;
  const shared = apps.signatureSecretOf(app);
  if (shared !== undefined) return shared;
  return app.eventSource?.secretOf === 'integration' ? madeSecretOf(app, made) : null;
}

/**
 * The secret that the service generated, in the application's format. It is 32 random bytes, stored as base64url.
 * Standard Webhooks writes them as base64 after `whsec_`; for all others, the stored text is the secret.
 */
export function madeSecretOf({ eventSource }: App, made: string): string {
  if (eventSource?.signature?.scheme !== 'standard_webhooks') return made;
  return `whsec_${Buffer.from(made, 'base64url').toString('base64')}`;
}
