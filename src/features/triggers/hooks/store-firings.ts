import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { NewPayloads } from '../../../platform/payloads.js';
import { type Firing, type FiringOutcome, recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';

/**
 * In a group, waiting for a locked row delays all members; alone it may take as long as any statement. Eight halvings of
 * a group of 256 stay below what its members wait at most.
 */
const GROUP_LOCK_TIMEOUT = '500ms';
/** What one statement takes, in UTF-16 units of inputs. */
const CHUNK = 8 * 2 ** 20;
/** What a run weighs beside its input. */
const ROW = 1_000;

/** A firing whose input has just come. */
export type PostedFiring = Firing & { input: string };

/** A transaction that has stored the runs of firings. */
export interface StoredRuns {
  tx: Transaction;
  now: Date;
  payloads: NewPayloads;
  outcomes: readonly (FiringOutcome | undefined)[];
}

interface StoreOptions {
  inGroup: boolean;
  /** What else the transaction stores. */
  afterwards?: (stored: StoredRuns) => Promise<void>;
}

/**
 * Stores the runs of firings by one transaction, and tells the workers. What is more than a statement takes must come in
 * the order of its workflows' ids, in which all lock them. @returns an outcome for each; undefined where the trigger is gone.
 */
export async function storeFirings(
  { db, clock, queue }: { db: Database; clock: Clock; queue: RunQueue },
  firings: readonly PostedFiring[],
  { inGroup, afterwards }: StoreOptions,
): Promise<(FiringOutcome | undefined)[]> {
  if (firings.length === 0 && afterwards === undefined) return [];
  const outcomes = await db.transaction(async (tx) => {
    if (inGroup) await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [GROUP_LOCK_TIMEOUT]);
    const stored: (FiringOutcome | undefined)[] = [];
    const now = clock.now();
    const payloads = new NewPayloads(now);
    for (const chunk of chunksOf(firings)) stored.push(...(await recordFirings(tx, queue, now, chunk, payloads)));
    await afterwards?.({ tx, now, payloads, outcomes: stored });
    return stored;
  });
  queue.announce();
  return outcomes;
}

function chunksOf(firings: readonly PostedFiring[]): PostedFiring[][] {
  const chunks: PostedFiring[][] = [];
  let size = Infinity;
  let last: string | undefined;
  for (const firing of firings) {
    // Those of one event share its input, which is stored once.
    const own = (firing.input === last ? 0 : firing.input.length) + ROW;
    last = firing.input;
    if (size + own > CHUNK) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)!.push(firing);
    size += own;
  }
  return chunks;
}
