import { workForCallers } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { notFound } from '../../../platform/errors.js';
import { type FiringOutcome } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type BatchedReads } from '../../../platform/db/batched-reads.js';
import { GroupCommit } from '../../../platform/db/groups/group-commit.js';
import { tooMuchWaits } from '../../../platform/db/groups/group-entry.js';
import { untilAborted } from '../../../platform/http/outbound/call-limits.js';
import { asWriter, GROUP_BYTES } from '../../../platform/db/groups/group-options.js';
import { demandSignature, firingOf, type HookPost } from './hook-post.js';
import { findHookSettings, type HookSettings } from './hook-settings.js';
import { uniqueDigests } from './inbound-post.js';
import { type PostedFiring, storeFirings } from './store-firings.js';
import { readsOfTokens, TokenOwners } from './token-owners.js';
import { UnknownTokens } from './unknown-tokens.js';

const MEBIBYTE = 2 ** 20;
/** An allowance for the headers and the query of a post, which usually need less; Node limits them to 16 kB. */
const HEAD_BYTES = 4_096;
/** How long a post may wait in the queue, so that its sender gets a response within 10 s under any load. */
const PATIENCE_MS = 5_000;

/** A post with the account of its token. */
type OwnedPost = HookPost & { accountId: string };

/** Stores the runs of posts to inbound hooks. Posts that arrive together share a transaction. */
export class HookStore {
  private readonly unknown: UnknownTokens;
  private readonly owners = new TokenOwners();
  private readonly reads: BatchedReads<Buffer, HookSettings>;
  private readonly posts: GroupCommit<OwnedPost, FiringOutcome>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly queue: RunQueue,
  ) {
    this.unknown = new UnknownTokens(clock);
    this.reads = readsOfTokens(db, (digests) => this.look(digests));
    this.posts = new GroupCommit({
      write: (posts, lockMs) => asWriter(posts[0]!.accountId, lockMs, () => this.write(posts, lockMs), workForCallers),
      sizeOf: ({ body }) => body.length + HEAD_BYTES,
      laneOf: ({ accountId }) => accountId,
      rowOf: ({ digest }) => digest.toString('hex'),
      group: { count: 256, bytes: GROUP_BYTES },
      waiting: { count: 10_000, bytes: 64 * MEBIBYTE },
      lanes: 2,
      patience: PATIENCE_MS,
    });
  }

  /**
   * Resolves once the run is committed. @throws AppError `not_found` for an unknown token, `unauthorized` for a missing
   * or wrong signature, `rate_limited` for an account that has stored too much, `unavailable` if the database is unavailable or too many posts wait.
   */
  async accept(post: HookPost): Promise<FiringOutcome> {
    if (this.unknown.has(post.digest)) throw notFound('hook');
    // Posts of accounts that are not known yet would share a lane, which one of them could keep waiting.
    return this.posts.add({ ...post, accountId: this.laneOf(post.digest) || (await this.ownerInTime(post.digest)) });
  }

  /** The account of a token that is not cached. @throws AppError `unavailable` if the look takes as long as a post may wait. */
  private async ownerInTime(digest: Buffer): Promise<string> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    return untilAborted(this.ownerOf(digest), patience).catch((error: unknown) => {
      throw error === patience.reason ? tooMuchWaits() : error;
    });
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
   * Verifies a signature. @throws AppError `unauthorized` if it is missing or wrong, `not_found` for an unknown token.
   */
  async prove(post: Pick<HookPost, 'digest' | 'body' | 'headers'>): Promise<void> {
    demandSignature(post, await this.settingsOf(post.digest), this.secrets);
  }

  private async settingsOf(digest: Buffer): Promise<HookSettings> {
    const settings = this.unknown.has(digest) ? undefined : await this.reads.load(digest);
    if (settings !== undefined) return settings;
    this.unknown.add(digest);
    throw notFound('hook');
  }

  /** Accepts no more posts and waits until every accepted one is answered. */
  close(): Promise<void> {
    return this.posts.close();
  }

  private async look(digests: readonly Buffer[]): Promise<Map<string, HookSettings>> {
    const found = await findHookSettings(this.db, digests);
    this.owners.learn(found);
    return found;
  }

  private async write(posts: readonly HookPost[], lockMs: number | undefined): Promise<(FiringOutcome | Error)[]> {
    const settings = await this.look(uniqueDigests(posts));
    const full = await this.queue.stored.fullOf(new Set([...settings.values()].map(({ accountId }) => accountId)));
    const asked = posts.map((post) => this.read(post, settings.get(post.digest.toString('hex')), full));
    const firings = asked.filter((each): each is PostedFiring => !(each instanceof Error));
    const { db, clock, queue } = this;
    const outcomes = (await storeFirings({ db, clock, queue }, firings, { lockMs })).values();
    return asked.map((each) => (each instanceof Error ? each : (outcomes.next().value ?? notFound('hook'))));
  }

  /** The firing of one post, or its error: an error must not affect the other posts of the group. */
  private read(post: HookPost, settings: HookSettings | undefined, full: ReadonlySet<string>): PostedFiring | Error {
    try {
      if (settings !== undefined) {
        const firing = firingOf(post, settings, this.secrets);
        return full.has(settings.accountId) ? this.queue.stored.refusal(settings.accountId) : firing;
      }
      this.unknown.add(post.digest);
      return notFound('hook');
    } catch (error) {
      return error as Error;
    }
  }
}
