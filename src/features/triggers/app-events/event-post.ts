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

/** One POST to an address for events, with its parsed JSON body. */
export interface EventPost extends JsonPost {
  /** SHA-256 of the token in the address, or of the shared lane. Posts with the same digest concern the same rows. */
  digest: Buffer;
  headers: IncomingHttpHeaders;
  /** Null at the address of one integration. At a shared address, the signature has been checked already. */
  shared: SharedPlace | null;
}

/** An event that triggers may wait for. */
export interface AppEvent {
  /** Of one of the account's integrations that get the event. */
  settings: EventSettings;
  /** The ids of all of them. */
  integrations: ReadonlySet<string>;
  name: string;
  value: unknown;
  input: string;
  /** The deduplication key, equal for all deliveries of the event to this integration; null without a delivery id. */
  key: string | null;
  hops: number;
}

/**
 * The content of a post: a handshake to answer, or events. Events that the app's definition does not list are left out.
 */
export type PostMeaning = { answer: string } | { events: AppEvent[] };

/** What reading a post needs. */
export interface MeaningDependencies {
  apps: AppRegistry;
  secrets: Secrets;
  now: Date;
}

/** The event source of an integration, with its secret. @throws AppError `not_found` if the app has no events. */
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

/** Reads a post by its app's `event_source`. @throws AppError `unauthorized` for a missing or wrong signature. */
export function meaningOf(post: EventPost, settings: EventSettings, deps: MeaningDependencies): PostMeaning {
  const proven = sourceOf(settings, deps);
  demandSignature(post, proven, deps.now);
  const answer = greetingOf(post, proven);
  if (answer !== undefined) return { answer };
  const { externalId } = settings;
  const accounts = accountsOf(proven.source, post.value);
  // A provider with a single address for all customers may use this one, and post events of other accounts to it.
  const isForeign = accounts.length > 0 && externalId !== null && !accounts.includes(externalId);
  // The integration's id is part of the key: two integrations may get events with the same delivery id.
  return { events: isForeign ? [] : eventsIn(post, proven, [settings], settings.integrationUuid) };
}

/** Verifies the signature of a post. @throws AppError `unauthorized` if it is missing or wrong. */
export function demandSignature(
  { headers, body, value }: Omit<EventPost, 'digest' | 'shared'>,
  { source, secret }: ProvenSource,
  now: Date,
): void {
  if (source.signature === null || secret === null) return;
  if (isSignedAs(source.signature, { headers, body, value, secret, now })) return;
  throw new AppError('unauthorized', 'The signature of the request is missing or wrong.');
}

/**
 * Verifies the signature of a body that is not parsed yet. Schemes with a secret in the body are verified after
 * parsing.
 * @throws AppError `unauthorized`.
 */
export function demandSignedBytes(post: Pick<EventPost, 'headers' | 'body'>, proven: ProvenSource, now: Date): void {
  if (!isInBody(proven.source.signature)) demandSignature({ ...post, value: undefined, input: '' }, proven, now);
}

/** The response to a handshake in the body, by which a provider verifies the address; undefined for events. */
export function greetingOf({ value }: Pick<EventPost, 'value'>, { source }: ProvenSource): string | undefined {
  return source.handshake === null ? undefined : handshakes[source.handshake].ofBody?.(value);
}

/**
 * The events of a post, each once for every account of the addressees: an account may have any number of integrations with
 * one place at the provider, and a trigger of any integration fires once. Delivery ids are unique within `scope`.
 */
export function eventsIn(
  post: EventPost,
  { app, source, secret }: ProvenSource,
  addressees: readonly EventSettings[],
  scope: string,
): AppEvent[] {
  const hops = hopsOf(post.headers);
  const accounts = [...Map.groupBy(addressees, ({ accountId }) => accountId).values()].map((of) => ({
    settings: of[0]!,
    integrations: new Set(of.map(({ integrationUuid }) => integrationUuid)),
  }));
  return partsOf(post, source, secret).flatMap(({ value, input, delivery }) => {
    const name = source.header === null ? textAt(value, source.jsonPath!) : headerOf(post.headers, source.header);
    if (name === undefined || !app.events.includes(name)) return [];
    const key = delivery === undefined ? null : keyOf(`${scope} ${delivery}`);
    return accounts.map((account) => ({ ...account, name, value, input, key, hops }));
  });
}
