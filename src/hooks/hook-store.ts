import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { notFound } from '../errors.js';
import { type Firing, type FiringOutcome, recordFirings } from '../runs/firings.js';
import { type RunQueue } from '../runs/run-queue.js';
import { type Secrets } from '../secrets.js';
import { GroupCommit } from '../db/group-commit.js';
import { firingOf, type HookPost } from './hook-post.js';
import { findHookSettings, type HookSettings } from './hook-settings.js';

const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 10_000;
const MEBIBYTE = 2 ** 20;
/** In a group, waiting for a row that somebody holds delays all; alone it may take as long as any statement. */
const GROUP_LOCK_TIMEOUT = '1s';

/** Stores the posts to inbound hooks: those that come together, by one transaction. */
export class HookStore {
  /** When digests (hex) were last looked for in vain. Nothing that was found is ever remembered. */
  private readonly unknown = new Map<string, number>();
  private readonly posts: GroupCommit<HookPost, FiringOutcome>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly queue: RunQueue,
  ) {
    this.posts = new GroupCommit({
      write: (posts) => this.write(posts),
      sizeOf: ({ body }) => body.length,
      group: { count: 256, bytes: 4 * MEBIBYTE },
      waiting: { count: 10_000, bytes: 64 * MEBIBYTE },
      lanes: 2,
    });
  }

  /**
   * Resolves once the run is committed. @throws AppError `not_found` for an unknown token, `unauthorized` for a missing
   * or wrong signature, `unavailable` when the database is away or too much waits.
   */
  async accept(post: HookPost): Promise<FiringOutcome> {
    const missedAt = this.unknown.get(post.digest.toString('hex'));
    if (missedAt !== undefined && this.clock.now().getTime() - missedAt < UNKNOWN_MS) throw notFound('hook');
    return this.posts.add(post);
  }

  /** Takes nothing more and waits until every post is answered. */
  close(): Promise<void> {
    return this.posts.close();
  }

  private async write(posts: readonly HookPost[]): Promise<(FiringOutcome | Error)[]> {
    const settings = await findHookSettings(this.db, uniqueDigests(posts));
    const asked = posts.map((post) => this.judge(post, settings.get(post.digest.toString('hex'))));
    const firings = asked.filter((each): each is Firing => !(each instanceof Error));
    const outcomes = (firings.length === 0 ? [] : await this.record(firings)).values();
    return asked.map((each) => (each instanceof Error ? each : (outcomes.next().value ?? notFound('hook'))));
  }

  private async record(firings: readonly Firing[]): Promise<(FiringOutcome | undefined)[]> {
    const outcomes = await this.db.transaction(async (tx) => {
      if (firings.length > 1) await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [GROUP_LOCK_TIMEOUT]);
      return recordFirings(tx, this.queue, this.clock.now(), firings);
    });
    this.queue.announce();
    return outcomes;
  }

  /** What one post asks for, or why it is refused: nothing of it may touch its neighbours. */
  private judge(post: HookPost, settings: HookSettings | undefined): Firing | Error {
    try {
      if (settings !== undefined) return firingOf(post, settings, this.secrets);
      this.rememberUnknown(post.digest.toString('hex'));
      return notFound('hook');
    } catch (error) {
      return error as Error;
    }
  }

  private rememberUnknown(digest: string): void {
    if (this.unknown.size >= MAX_UNKNOWN) this.unknown.clear();
    this.unknown.set(digest, this.clock.now().getTime());
  }
}

function uniqueDigests(posts: readonly HookPost[]): Buffer[] {
  return [...new Map(posts.map(({ digest }) => [digest.toString('hex'), digest])).values()];
}
