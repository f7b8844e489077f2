import { type EventSource } from '../../integrations/apps/app.js';

export type HandshakeName = NonNullable<EventSource['handshake']>;

/** How an application makes sure, before it sends events to an address, that somebody there waits for them. */
export interface HandshakeDefinition {
  name: HandshakeName;
  /** What to answer a request that asks by its query alone; undefined when it doesn't ask. @throws AppError `unauthorized` */
  ofQuery?(query: URLSearchParams, secret: string): string | undefined;
  /** By which method it asks so. */
  queryMethod?: 'GET' | 'POST';
  /** What to answer a post, whose signature was checked, that asks by its body; undefined for an event. */
  ofBody?(body: unknown): string | undefined;
}

/** A handshake. Adding one is a file here, a line in `index.ts`, and its name in the schema of apps. */
export function defineHandshake<const D extends HandshakeDefinition>(definition: D): D {
  return definition;
}
