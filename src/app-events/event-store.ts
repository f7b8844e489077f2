import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { GroupCommit } from '../db/group-commit.js';
import { AppError, notFound } from '../errors.js';
import { uniqueDigests } from '../hooks/inbound-post.js';
import { storeFirings, type StoredRuns } from '../hooks/store-firings.js';
import { TokenOwners } from '../hooks/token-owners.js';
import { UnknownTokens } from '../hooks/unknown-tokens.js';
import { type AppRegistry } from '../integrations/apps/registry.js';
import { type RunQueue } from '../runs/run-queue.js';
import { type Secrets } from '../secrets.js';
import {
  type AppEvent,
  type EventPost,
  meaningOf,
  type PostMeaning,
  type ProvenSource,
  sourceOf,
} from './event-post.js';
import { type EventSettings, findEventSettings } from './event-settings.js';
import { fullAccounts, MAX_WAITING, storeFanOuts } from './fan-outs.js';
import { divide, type Fired, placedIn, restOf } from './fired-events.js';
import { MatchWeights } from './match-weights.js';
import { findWaitingTriggers } from './waiting-triggers.js';

const MEBIBYTE = 2 ** 20;
/** A sender gets its answer within 10 s, whatever else is busy. */
const PATIENCE_MS = 5_000;

/**
 * What came of a post: the text that a handshake wants, or the runs of an event, those of its first delivery for a
 * repeated one. Of an event that fires more than 500 triggers they are those that were made with it.
 */
export type EventOutcome = { answer: string } | { runUuids: string[] };

export interface EventStoreDependencies {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  apps: AppRegistry;
  queue: RunQueue;
}

/** Stores the runs of applications' events: of those that come together, by one transaction. */
export class EventStore {
  private readonly unknown: UnknownTokens;
  private readonly owners = new TokenOwners();
  private readonly weights = new MatchWeights();
  private readonly posts: GroupCommit<EventPost, EventOutcome>;

  constructor(private readonly its: EventStoreDependencies) {
    this.unknown = new UnknownTokens(its.clock);
    this.posts = new GroupCommit({
      write: (posts) => this.write(posts),
      sizeOf: (post) => post.body.length + this.weights.weightOf(post),
      laneOf: (post) => this.owners.laneOf(post),
      rowOf: ({ digest }) => digest.toString('hex'),
      group: { count: 64, bytes: 2 * MEBIBYTE },
      // Each waits with its parsed body, which may take ten times as much.
      waiting: { count: 10_000, bytes: 16 * MEBIBYTE },
      lanes: 2,
      patience: PATIENCE_MS,
    });
  }

  /**
   * Resolves once all runs of an event are committed. @throws AppError `not_found` for an unknown token, `unauthorized`
   * for a missing or wrong signature, `unavailable` when the database is away or too much waits.
   */
  async accept(post: EventPost): Promise<EventOutcome> {
    if (this.unknown.has(post.digest)) throw notFound('address for events');
    return this.posts.add(post);
  }

  /** The event source behind a token's digest, and what proves its events. @throws AppError `not_found`. */
  async sourceOf(digest: Buffer): Promise<ProvenSource> {
    return sourceOf(await this.settingsOf(digest), this.its);
  }

  /** The account of a token. @throws AppError `not_found` for an unknown one. */
  async ownerOf(digest: Buffer): Promise<string> {
    const known = this.owners.laneOf({ digest });
    return known === '' ? (await this.settingsOf(digest)).accountId : known;
  }

  private async settingsOf(digest: Buffer): Promise<EventSettings> {
    const settings = this.unknown.has(digest) ? undefined : (await this.look([digest])).get(digest.toString('hex'));
    if (settings !== undefined) return settings;
    this.unknown.add(digest);
    throw notFound('address for events');
  }

  private async look(digests: readonly Buffer[]): Promise<Map<string, EventSettings>> {
    const found = await findEventSettings(this.its.db, digests);
    this.owners.learn(found);
    return found;
  }

  /** Takes nothing more and waits until every post is answered. */
  close(): Promise<void> {
    return this.posts.close();
  }

  private async write(posts: readonly EventPost[]): Promise<(EventOutcome | Error)[]> {
    const settings = await this.look(uniqueDigests(posts));
    const meanings = posts.map((post) => this.judge(post, settings.get(post.digest.toString('hex'))));
    const events = meanings.flatMap((meaning) => ('event' in meaning ? [meaning.event] : []));
    const fired = (await this.fire(events, posts.length > 1)).values();
    return meanings.map((meaning) => {
      if (meaning instanceof Error) return meaning;
      if (meaning.is === 'handshake') return { answer: meaning.answer };
      const runUuids = meaning.is === 'event' ? fired.next().value! : [];
      return runUuids instanceof Error ? runUuids : { runUuids };
    });
  }

  /** @returns the runs of each event, by the ids of their workflows, or why it is refused. */
  private async fire(events: readonly AppEvent[], inGroup: boolean): Promise<(string[] | Error)[]> {
    const matches = await findWaitingTriggers(this.its.db, events);
    matches.forEach(({ looks }, index) => this.weights.learn(events[index]!.settings, looks));
    const waiting = matches.map(({ triggers }) => triggers);
    const all = divide(events, waiting);
    const refused = await this.refused(all.filter(({ later }) => later.length > 0));
    const accepted = all.filter((fired) => !refused.has(fired));
    const placed = placedIn(accepted);
    const firings = placed.map(({ firing }) => firing);
    const isMore = accepted.some(({ later }) => later.length > 0);
    const outcomes = await storeFirings(this.its, firings, {
      inGroup,
      ...(isMore && {
        afterwards: ({ tx, now, payloads, outcomes }: StoredRuns) =>
          storeFanOuts(tx, now, restOf(accepted, placed, outcomes), payloads),
      }),
    });
    const runs = Map.groupBy(placed.keys(), (place) => placed[place]!.fired);
    return all.map((fired) => {
      if (refused.has(fired)) return tooManyWait();
      return (runs.get(fired) ?? []).flatMap((place) => outcomes[place]?.runUuid ?? []);
    });
  }

  /** Those of accounts that have too many waiting for the rest of their runs. */
  private async refused(large: readonly Fired[]): Promise<ReadonlySet<Fired>> {
    const accounts = new Set(large.map(({ event }) => event.settings.accountId));
    const full = await fullAccounts(this.its.db, [...accounts]);
    return new Set(large.filter(({ event }) => full.has(event.settings.accountId)));
  }

  /** What one post means, or why it is refused: nothing of it may touch its neighbours. */
  private judge(post: EventPost, settings: EventSettings | undefined): PostMeaning | Error {
    try {
      if (settings !== undefined) return meaningOf(post, settings, { ...this.its, now: this.its.clock.now() });
      this.unknown.add(post.digest);
      return notFound('address for events');
    } catch (error) {
      return error as Error;
    }
  }
}

function tooManyWait(): AppError {
  const message = `${MAX_WAITING} events of the account wait for the rest of their runs. Try again shortly.`;
  return new AppError('rate_limited', message, { retryAfter: 5 });
}
