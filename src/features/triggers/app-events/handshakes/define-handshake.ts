import { type EventSource } from '../../../integrations/apps/app.js';

/** The name of a handshake in an app's `event_source`. */
export type HandshakeName = NonNullable<EventSource['handshake']>;

/** One of several notifications in one post. */
export interface Notification {
  /** A body with only this notification. */
  post: unknown;
  /** The delivery id; undefined without one. */
  delivery: string | undefined;
}

/** How a provider verifies an address, and how it puts several notifications into one post. */
export interface HandshakeDefinition {
  name: HandshakeName;
  /** The response to a handshake in the query; undefined for other requests. @throws AppError `unauthorized` */
  ofQuery?(query: URLSearchParams, secret: string | null): string | undefined;
  /** The HTTP method of a handshake in the query. */
  queryMethod?: 'GET' | 'POST';
  /** The response to a handshake in the body of a verified post; undefined for an event. */
  ofBody?(body: unknown): string | undefined;
  /**
   * The notifications in a post, with their secret removed; those without the right secret are left out.
   * @throws AppError `unauthorized` if no notification has the right secret.
   */
  notificationsIn?(body: unknown, secret: string | null): Notification[];
}

/** Defines a handshake. To add one: a file here, a line in `index.ts`, and its name in the schema of apps. */
export function defineHandshake<const D extends HandshakeDefinition>(definition: D): D {
  return definition;
}
