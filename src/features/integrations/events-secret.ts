import { registerEnumType } from 'type-graphql';
import { type App } from './apps/app.js';
import { type AppRegistry } from './apps/registry.js';

/** The secrets in an integration's row: the one that the service made, and the one of the provider where it was set. */
export interface OwnSecrets {
  made: string;
  set: string | null;
}

/** What proves that a post comes from the application of an integration. */
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
  description: 'What proves that a post comes from the application.',
  valuesConfig: {
    MADE: { description: 'A secret that the service made: give `eventsSecret` to the application.' },
    SET: { description: 'The secret that the application made, which was set by `updateIntegration`.' },
    APPLICATION: { description: 'One secret for all integrations of the type, which the operator has set.' },
    MISSING: { description: 'The application makes a secret, but none is set: posts are taken unsigned.' },
    NONE: { description: 'The application signs nothing: only its address is secret.' },
  },
});

/** Which secret proves the events of an integration. */
export function eventsProofOf(apps: AppRegistry, app: App, isSet: boolean): EventsProof {
  if (!provesEvents(app)) return EventsProof.NONE;
  if (isSet) return EventsProof.SET;
  if (apps.signatureSecretOf(app) !== undefined) return EventsProof.APPLICATION;
  return app.eventSource?.secretOf === 'integration' ? EventsProof.MADE : EventsProof.MISSING;
}

/** Whether a secret takes part in what an application posts. */
export function provesEvents({ eventSource }: App): boolean {
  if (eventSource === null) return false;
  return eventSource.signature !== null || SECRET_HANDSHAKES.has(eventSource.handshake);
}

/** Meta sends the secret when it checks the address, Microsoft Graph with each notification. */
const SECRET_HANDSHAKES = new Set<string | null>(['meta', 'microsoft_graph']);

/** The secret that proves the events of an integration; null where there is none yet. */
export function eventsSecretOf(apps: AppRegistry, app: App, { made, set }: OwnSecrets): string | null {
  if (set !== null) return set;
  const shared = apps.signatureSecretOf(app);
  if (shared !== undefined) return shared;
  return app.eventSource?.secretOf === 'integration' ? madeSecretOf(app, made) : null;
}

/**
 * The secret that the service made, as the application takes it: 32 random bytes, which are kept as base64url. Standard
 * Webhooks writes them as base64 behind `whsec_`; everywhere else the text itself is the secret.
 */
export function madeSecretOf({ eventSource }: App, made: string): string {
  if (eventSource?.signature?.scheme !== 'standard_webhooks') return made;
  return `whsec_${Buffer.from(made, 'base64url').toString('base64')}`;
}
