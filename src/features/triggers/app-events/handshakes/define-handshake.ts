import { type EventSource } from '../../../integrations/apps/app.js';

export type HandshakeName = NonNullable<EventSource['handshake']>;

/** One of several notifications that came in one post. */
export interface Notification {
  /** A body that holds it alone. */
  post: unknown;
  /** The same in each delivery of it; undefined where nothing tells. */
  delivery: string | undefined;
}

/** How an application speaks to an address beside events that come one by one. */
export interface HandshakeDefinition {
  name: HandshakeName;
  /** What to answer a request that asks by its query alone; undefined when it doesn't ask. @throws AppError `unauthorized` */
  ofQuery?(query: URLSearchParams, secret: string | null): string | undefined;
  /** By which method it asks so. */
  queryMethod?: 'GET' | 'POST';
  /** What to answer a post, whose signature was checked, that asks by its body; undefined for an event. */
  ofBody?(body: unknown): string | undefined;
  /**
   * The notifications of a post that may hold several, without those that don't know the secret, and without the secret.
   * @throws AppError `unauthorized` where none knows it.
   */
  notificationsIn?(body: unknown, secret: string | null): Notification[];
}

/** A handshake. Adding one is a file here, a line in `index.ts`, and its name in the schema of apps. */
export function defineHandshake<const D extends HandshakeDefinition>(definition: D): D {
  return definition;
}
