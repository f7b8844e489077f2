import { type IncomingHttpHeaders } from 'node:http';
import { AppError, notFound } from '../../../platform/errors.js';
import { headerOf, keyOf } from '../hooks/inbound-headers.js';
import { hopsOf } from '../../../platform/http/inbound/hops.js';
import { type JsonPost } from '../hooks/inbound-post.js';
import { type AppRegistry } from '../../integrations/apps/registry.js';
import { textAt } from '../../integrations/apps/text-at.js';
import { eventsSecretOf } from '../../integrations/events-secret.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type EventSettings } from './event-settings.js';
import { accountsOf, type ProvenSource, type SharedPlace } from './event-source.js';
import { handshakes } from './handshakes/index.js';
import { partsOf } from './post-parts.js';
import { isInBody, isSignedAs } from './signatures/index.js';

/** One POST to an address for events, its body read and known to be JSON. */
export interface EventPost extends JsonPost {
  /** SHA-256 of the token in the address, or of the shared place: posts with the same digest concern the same rows. */
  digest: Buffer;
  headers: IncomingHttpHeaders;
  /** Null at the address of one integration. At a shared address the signature is checked before. */
  shared: SharedPlace | null;
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

/** What a post turned out to be. Events that their application is not said to have are left out. */
export type PostMeaning = { answer: string } | { events: AppEvent[] };

/** What judging a post takes. */
export interface MeaningDependencies {
  apps: AppRegistry;
  secrets: Secrets;
  now: Date;
}

/** The source of an integration's events. @throws AppError `not_found` where it has no events. */
export function sourceOf(
  { accountId, integrationUuid, type, secret, providerSecret }: EventSettings,
  { apps, secrets }: Pick<MeaningDependencies, 'apps' | 'secrets'>,
): ProvenSource {
  const app = apps.get(type);
  const source = app?.eventSource;
  if (app === undefined || source == null) throw notFound('address for events');
  const owner = { accountId, table: 'integrations', id: integrationUuid };
  const set = providerSecret === null ? null : secrets.open(providerSecret, owner);
  return { app, source, secret: eventsSecretOf(apps, app, { made: secrets.open(secret, owner), set }) };
}

/** Reads a post as its application's `event_source` says. @throws AppError `unauthorized` for a missing or wrong proof. */
export function meaningOf(post: EventPost, settings: EventSettings, deps: MeaningDependencies): PostMeaning {
  const proven = sourceOf(settings, deps);
  demandSignature(post, proven, deps.now);
  const answer = greetingOf(post, proven);
  if (answer !== undefined) return { answer };
  const { externalId } = settings;
  const accounts = accountsOf(proven.source, post.value);
  // A provider with one address for all customers may have been given this one.
  const isForeign = accounts.length > 0 && externalId !== null && !accounts.includes(externalId);
  // Of two integrations whose events a trigger waits for, none can use up the other's ids.
  return { events: isForeign ? [] : eventsIn(post, proven, [settings], settings.integrationUuid) };
}

/** @throws AppError `unauthorized` for a post without the signature that its secret makes. */
export function demandSignature(
  { headers, body, value }: Omit<EventPost, 'digest' | 'shared'>,
  { source, secret }: ProvenSource,
  now: Date,
): void {
  if (source.signature === null || secret === null) return;
  if (isSignedAs(source.signature, { headers, body, value, secret, now })) return;
  throw new AppError('unauthorized', 'The signature of the request is missing or wrong.');
}

/** The same of a body that is not parsed yet; a proof that stands in it is judged later. @throws AppError `unauthorized`. */
export function demandSignedBytes(post: Pick<EventPost, 'headers' | 'body'>, proven: ProvenSource, now: Date): void {
  if (!isInBody(proven.source.signature)) demandSignature({ ...post, value: undefined, input: '' }, proven, now);
}

/** What a post wants to read when it only makes sure that the address answers; undefined for events. */
export function greetingOf({ value }: Pick<EventPost, 'value'>, { source }: ProvenSource): string | undefined {
  return source.handshake === null ? undefined : handshakes[source.handshake].ofBody?.(value);
}

/** The events of a post, each for every addressee. Deliveries of one event are known within `scope`. */
export function eventsIn(
  post: EventPost,
  { app, source, secret }: ProvenSource,
  addressees: readonly EventSettings[],
  scope: string,
): AppEvent[] {
  const hops = hopsOf(post.headers);
  return partsOf(post, source, secret).flatMap(({ value, input, delivery }) => {
    const name = source.header === null ? textAt(value, source.jsonPath!) : headerOf(post.headers, source.header);
    if (name === undefined || !app.events.includes(name)) return [];
    const key = delivery === undefined ? null : keyOf(`${scope} ${delivery}`);
    return addressees.map((settings) => ({ settings, name, value, input, key, hops }));
  });
}
