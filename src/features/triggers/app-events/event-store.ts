import { workForCallers } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type BatchedReads } from '../../../platform/db/batched-reads.js';
import { GroupCommit } from '../../../platform/db/groups/group-commit.js';
import { asWriter, GROUP_BYTES } from '../../../platform/db/groups/group-options.js';
import { notFound } from '../../../platform/errors.js';
import { type OnceASecond } from '../../../platform/logging/once-a-second.js';
import { uniqueDigests } from '../hooks/inbound-post.js';
import { readsOfTokens, TokenOwners } from '../hooks/token-owners.js';
import { UnknownTokens } from '../hooks/unknown-tokens.js';
import { type AppRegistry } from '../../integrations/apps/registry.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { demandSignedBytes, eventsIn, type EventPost, meaningOf, type PostMeaning, sourceOf } from './event-post.js';
import { type EventSettings, findEventSettings, findSharedSettings } from './event-settings.js';
import { laneOf, type ProvenSource, sharedSourceOf } from './event-source.js';
import { firePosts, type Writing } from './fire-posts.js';
import { HeavyLanes, LooksTogether } from './heavy-lanes.js';
import { MatchWeights } from './match-weights.js';
import { WaitingEvents } from './waiting-events.js';

const MEBIBYTE = 2 ** 20;
/** How long a post may wait in the queue. */
const PATIENCE_MS = 5_000;
/**
 * How much longer one may wait that is being written, so that its sender learns the truth. A request to a silent database
 * gets its response within the limit of a statement and 2 s more.
 */
const WRITING_MS = 1_500;

/**
 * The response to a post: the text for a handshake, or the runs of its events. For a repeated delivery these are the
 * runs of the first one. For an event that fires more than 500 triggers, only the runs stored with the event are
 * listed.
 */
export type EventOutcome = { answer: string } | { runUuids: string[] };

/** What storing app events needs. */
export interface EventStoreDependencies {
  db: Database;
  clock: Clock;
  secrets: Secrets;
  apps: AppRegistry;
  queue: RunQueue;
  log: OnceASecond;
}

/** Stores the runs of app events. Posts that arrive together share a transaction. */
export class EventStore {
  private readonly unknown: UnknownTokens;
  private readonly owners = new TokenOwners();
  private readonly reads: BatchedReads<Buffer, EventSettings>;
  private readonly weights = new MatchWeights();
  private readonly heavy: HeavyLanes;
  private readonly waiting: WaitingEvents;
  private readonly posts: GroupCommit<EventPost, EventOutcome>;

  constructor(private readonly deps: EventStoreDependencies) {
    this.unknown = new UnknownTokens(deps.clock);
    this.heavy = new HeavyLanes(deps.clock);
    this.waiting = new WaitingEvents(deps.db);
    this.reads = readsOfTokens(deps.db, (digests) => this.look(digests));
    this.posts = new GroupCommit({
      write: (posts, lockMs, mayCommit) =>
        asWriter(this.laneOfPost(posts[0]!), lockMs, () => this.write(posts, { lockMs, mayCommit }), workForCallers),
      sizeOf: (post) => post.body.length + this.weights.weightOf(post),
      laneOf: (post) => this.laneOfPost(post),
      isSlow: (lane) => this.heavy.has(lane),
      rowOf: ({ digest }) => digest.toString('hex'),
      group: { count: 64, bytes: GROUP_BYTES },
      // A waiting post holds its parsed body, which may take ten times as much memory.
      waiting: { count: 10_000, bytes: 16 * MEBIBYTE },
      lanes: 2,
      patience: PATIENCE_MS,
      writing: WRITING_MS,
    });
  }

  /**
   * Resolves once all runs of a post are committed. @throws AppError `not_found` for an unknown token, `unauthorized`
   * for a missing or wrong signature, `unavailable` if the database is unavailable or too many posts wait.
   */
  async accept(post: EventPost): Promise<EventOutcome> {
    if (this.unknown.has(post.digest)) throw notFound('address for events');
    // Posts of an account that is not known yet would share a lane, which one of them could slow down.
    if (post.shared === null) await this.ownerOf(post.digest);
    return this.posts.add(post);
  }

  /** The event source of a token's integration, with its secret. @throws AppError `not_found`. */
  async sourceOf(digest: Buffer): Promise<ProvenSource> {
    return sourceOf(await this.settingsOf(digest), this.deps);
  }

  /** The account of a token. @throws AppError `not_found` for an unknown one. */
  async ownerOf(digest: Buffer): Promise<string> {
    return this.laneOf(digest) || (await this.settingsOf(digest)).accountId;
  }

  /** The cached account of a token; '' if it is not cached. */
  laneOf(digest: Buffer): string {
    return this.owners.laneOf({ digest });
  }

  /**
   * Verifies the signature of a raw body. @throws AppError `unauthorized` if it is missing or wrong, `not_found` for an
   * unknown token.
   */
  async prove({ digest, ...post }: Pick<EventPost, 'digest' | 'body' | 'headers'>): Promise<void> {
    demandSignedBytes(post, await this.sourceOf(digest), this.now());
  }

  private laneOfPost(post: EventPost): string {
    return post.shared === null ? this.owners.laneOf(post) : laneOf(post.shared);
  }

  private async settingsOf(digest: Buffer): Promise<EventSettings> {
    const settings = this.unknown.has(digest) ? undefined : await this.reads.load(digest);
    if (settings !== undefined) return settings;
    this.unknown.add(digest);
    throw notFound('address for events');
  }

  private async look(digests: readonly Buffer[]): Promise<Map<string, EventSettings>> {
    const found = await findEventSettings(this.deps.db, digests);
    this.owners.learn(found);
    return found;
  }

  /** The source of `/events/<type>`; undefined if there is no such address. */
  sharedSource(type: string): ProvenSource | undefined {
    return sharedSourceOf(this.deps.apps, type);
  }

  /** The time against which signatures are checked. */
  now(): Date {
    return this.deps.clock.now();
  }

  /** Accepts no more posts and waits until every accepted one is answered. */
  close(): Promise<void> {
    return this.posts.close();
  }

  private async write(posts: readonly EventPost[], writing: Writing): Promise<(EventOutcome | Error)[]> {
    const lanes = posts.map((post) => this.laneOfPost(post));
    // Decided before the first await: another group may learn in between that a lane is heavy.
    const isHeavyAlone = new Set(lanes).size === 1 && this.heavy.has(lanes[0]!);
    const settings = await this.look(uniqueDigests(posts.filter(({ shared }) => shared === null)));
    const places = posts.map(({ shared }) => shared).filter((shared) => shared !== null);
    const addressees = (await findSharedSettings(this.deps.db, places)).values();
    const meanings = posts.map((post) =>
      post.shared === null
        ? this.read(post, settings.get(post.digest.toString('hex')))
        : { events: eventsIn(post, post.shared.proven, addressees.next().value!, post.shared.proven.app.type) },
    );
    const together = new LooksTogether();
    const told = meanings.map((meaning) => ('events' in meaning ? meaning.events : []));
    const fired = await firePosts({ ...this.deps, waiting: this.waiting }, told, writing, {
      looks: (place, looks) => this.weights.learn(posts[place]!, looks),
      cost: (place, cost) => {
        const lane = lanes[place]!;
        this.heavy.learn(lane, cost);
        // The posts of a heavy lane must not delay others: not those of this group, nor those that wait for this writer.
        const stays = isHeavyAlone ? together.hasRoom(place, cost.looks) : !this.heavy.has(lane);
        if (!stays) this.weights.learn(posts[place]!, cost.looks);
        return stays;
      },
    });
    return meanings.map((meaning, place) => {
      if (meaning instanceof Error || 'answer' in meaning) return meaning;
      const runUuids = fired[place]!;
      return runUuids instanceof Error ? runUuids : { runUuids };
    });
  }

  /** The content of one post, or its error: an error must not affect the other posts of the group. */
  private read(post: EventPost, settings: EventSettings | undefined): PostMeaning | Error {
    try {
      if (settings !== undefined) return meaningOf(post, settings, { ...this.deps, now: this.now() });
      this.unknown.add(post.digest);
      return notFound('address for events');
    } catch (error) {
      return error as Error;
    }
  }
}
