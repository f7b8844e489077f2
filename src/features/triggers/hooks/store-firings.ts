import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { NewPayloads } from '../../../platform/payloads.js';
import { type Firing, type FiringOutcome, recordFirings } from '../../runs/queue/firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { requestBytes } from '../../runs/trigger-request.js';

/** The maximum weight of one statement, in UTF-16 units of inputs. */
const CHUNK = 8 * 2 ** 20;
/** The weight of a run besides its input. */
const ROW = 1_000;

/** A firing whose input is not stored yet. */
export type PostedFiring = Firing & { input: string };

/** The open transaction that has stored the runs of firings. */
export interface StoredRuns {
  tx: Transaction;
  now: Date;
  payloads: NewPayloads;
  outcomes: readonly (FiringOutcome | undefined)[];
}

interface StoreOptions {
  /** The limit of waits for locked rows. */
  lockMs: number | undefined;
  /** Stores more in the same transaction. */
  afterwards?: (stored: StoredRuns) => Promise<void>;
}

/**
 * Stores the runs of firings in one transaction and wakes the workers. If they need more than one statement, they must
 * be in workflow id order, in which every transaction locks workflows. @returns one outcome per firing; undefined if
 * the trigger is deleted.
 */
export async function storeFirings(
  { db, clock, queue }: { db: Database; clock: Clock; queue: RunQueue },
  firings: readonly PostedFiring[],
  { lockMs, afterwards }: StoreOptions,
): Promise<(FiringOutcome | undefined)[]> {
  if (firings.length === 0 && afterwards === undefined) return [];
  const outcomes = await db.transaction(async (tx) => {
    const stored: (FiringOutcome | undefined)[] = [];
    const now = clock.now();
    const payloads = new NewPayloads(now, queue.stored);
    for (const chunk of chunksOf(firings)) stored.push(...(await recordFirings(tx, queue, now, chunk, payloads)));
    await afterwards?.({ tx, now, payloads, outcomes: stored });
    return stored;
  }, lockMs);
  queue.announce();
  return outcomes;
}

function chunksOf(firings: readonly PostedFiring[]): PostedFiring[][] {
  const chunks: PostedFiring[][] = [];
  let size = Infinity;
  let last: string | undefined;
  for (const firing of firings) {
    // Firings of one event share its input, which is stored once.
    const own = (firing.input === last ? 0 : firing.input.length) + requestBytes(firing.request) + ROW;
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
