import { Lanes } from '../../../../platform/admission/lanes.js';
import { BatchedReads } from '../../../../platform/db/batched-reads.js';
import { type Database } from '../../../../platform/db/database.js';
import { workPatiently } from '../../../../platform/db/patient-read.js';
import { sha256 } from '../../../../platform/encryption/secrets.js';

/** Callbacks of an account in a process that consume their states at the same time, and as many that store outcomes. */
export const CALLBACKS_AT_ONCE = 2;
/**
 * Callbacks of an account in a process that have consumed a state and not stored the outcome. The others wait before
 * they consume one: that costs no code, so the browser may come back.
 */
export const MAX_IN_HAND = 50;
/** How long a callback waits to consume its state, and repeats what the database refuses; in milliseconds. */
export const CALLBACK_PATIENCE_MS = 10_000;
/**
 * After a callback consumed its state, the time within which its last attempt to store the outcome begins, in
 * milliseconds: its longest exchange, and at least as much patience.
 */
export const STORED_WITHIN_MS = 20_000;
/** Concurrent statements that look accounts up, each for up to 100 states. */
const LOOKUPS = 2;

/**
 * Lets OAuth callbacks use the database in turns. Anyone can send thousands at once, and all of an account lock its row:
 * they wait here, without a connection, and those that end a flow do not wait for those that begin. Codes are not
 * exchanged faster than outcomes are stored.
 */
export class CallbackTurns {
  private readonly owners: BatchedReads<Buffer, string>;
  private readonly inHand = new Lanes(MAX_IN_HAND);
  private readonly begins = new Lanes(CALLBACKS_AT_ONCE);
  private readonly ends = new Lanes(CALLBACKS_AT_ONCE);

  constructor(private readonly db: Database) {
    this.owners = new BatchedReads(db, (digests) => this.accountsOf(digests), LOOKUPS);
  }

  /** The account whose flow has this state; undefined if there is none. Changes nothing. */
  ownerOf(state: string): Promise<string | undefined> {
    return workPatiently(() => this.owners.load(sha256(state)), CALLBACK_PATIENCE_MS);
  }

  /**
   * Runs a callback from the consumption of its state to its outcome. `until`: when it has to have begun.
   * @throws AppError `unavailable` if it waited for too long for its turn; see `isDatabaseAway`.
   */
  run<T>(accountId: string, work: (until: number) => Promise<T>): Promise<T> {
    const until = performance.now() + CALLBACK_PATIENCE_MS;
    return this.inHand.run(accountId, () => work(until), until);
  }

  /** Runs what consumes a state; see `workPatiently`. */
  begin<T>(accountId: string, until: number, work: () => Promise<T>): Promise<T> {
    return workPatiently(() => this.begins.run(accountId, work, until), until - performance.now());
  }

  /** Runs what stores the outcome of a flow; see `workPatiently`. No attempt begins after `until`. */
  end<T>(accountId: string, until: number, work: (attempt: number) => Promise<T>): Promise<T> {
    const inTurn = (attempt: number): Promise<T> => this.ends.run(accountId, () => work(attempt), until);
    return workPatiently(inTurn, until - performance.now());
  }

  private async accountsOf(digests: readonly Buffer[]): Promise<(string | undefined)[]> {
    const rows = await this.db.query<{ digest: Buffer; account: string }>(
      `SELECT state_digest AS digest, account_id AS account FROM authorizations WHERE state_digest = ANY($1)`,
      [digests],
    );
    const found = new Map(rows.map(({ digest, account }) => [digest.toString('latin1'), account]));
    return digests.map((digest) => found.get(digest.toString('latin1')));
  }
}
