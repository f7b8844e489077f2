import { type IncomingHttpHeaders } from 'node:http';
import { AppError, notFound } from '../errors.js';
import { headerOf, keyOf } from '../hooks/inbound-headers.js';
import { hopsOf } from '../http/hops.js';
import { type JsonPost } from '../hooks/inbound-post.js';
import { type App, type EventSource } from '../integrations/apps/app.js';
import { type AppRegistry } from '../integrations/apps/registry.js';
import { textAt } from '../integrations/apps/text-at.js';
import { eventsSecretOf } from '../integrations/events-secret.js';
import { type Secrets } from '../secrets.js';
import { deliveryIdOf } from './delivery-id.js';
import { type EventSettings } from './event-settings.js';
import { handshakes } from './handshakes/index.js';
import { isSignedAs } from './signatures/index.js';

/** One POST to the address of an integration's events, its body read and known to be JSON. */
export interface EventPost extends JsonPost {
  /** SHA-256 of the token in the address. */
  digest: Buffer;
  headers: IncomingHttpHeaders;
}

/** An event that triggers may wait for. */
export interface AppEvent {
  settings: EventSettings;
  name: string;
  value: unknown;
  input: string;
  /** The same for each delivery of it to this integration; null when nothing tells. */
  key: string | null;
  hops: number;
}

/** What a post turned out to be. An event that its application is not said to have is none that anybody waits for. */
export type PostMeaning = { is: 'handshake'; answer: string } | { is: 'event'; event: AppEvent } | { is: 'unwanted' };

/** What judging a post takes. */
export interface Judgement {
  apps: AppRegistry;
  secrets: Secrets;
  now: Date;
}

/** Where the events of an integration come from, and what proves them. */
export interface ProvenSource {
  app: App;
  source: EventSource;
  secret: string;
}

/** The source of an integration's events. @throws AppError `not_found` where it has no events. */
export function sourceOf(
  settings: EventSettings,
  { apps, secrets }: Pick<Judgement, 'apps' | 'secrets'>,
): ProvenSource {
  const { accountId, integrationUuid, type } = settings;
  const app = apps.get(type);
  const source = app?.eventSource;
  if (app === undefined || source == null) throw notFound('address for events');
  const own = secrets.open(settings.secret, { accountId, table: 'integrations', id: integrationUuid });
  return { app, source, secret: eventsSecretOf(apps, app, own) };
}

/** Reads a post as its application's `event_source` says. @throws AppError `unauthorized` for a missing or wrong signature. */
export function meaningOf(post: EventPost, settings: EventSettings, judgement: Judgement): PostMeaning {
  const { app, source, secret } = sourceOf(settings, judgement);
  const { headers, body, value, input } = post;
  if (source.signature !== null && !isSignedAs(source.signature, { headers, body, secret, now: judgement.now })) {
    throw new AppError('unauthorized', 'The signature of the request is missing or wrong.');
  }
  const answer = source.handshake === null ? undefined : handshakes[source.handshake].ofBody?.(value);
  if (answer !== undefined) return { is: 'handshake', answer };
  const name = source.header === null ? textAt(value, source.jsonPath!) : headerOf(headers, source.header);
  if (name === undefined || !app.events.includes(name)) return { is: 'unwanted' };
  const delivery = deliveryIdOf(source, headers, value);
  // Of two integrations whose events a trigger waits for, none can use up the other's ids.
  const key = delivery === undefined ? null : keyOf(`${settings.integrationUuid} ${delivery}`);
  return { is: 'event', event: { settings, name, value, input, key, hops: hopsOf(headers) } };
}
