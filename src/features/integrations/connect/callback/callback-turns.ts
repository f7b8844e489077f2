import { Lanes } from '../../../../platform/admission/lanes.js';
import { noTurn } from '../../../../platform/admission/no-turn.js';
import { BatchedReads } from '../../../../platform/db/batched-reads.js';
import { type Database } from '../../../../platform/db/database.js';
import { workPatiently } from '../../../../platform/db/patient-read.js';
import { AppError } from '../../../../platform/errors.js';
import { sha256 } from '../../../../platform/encryption/secrets.js';

/** Callbacks of an account in a process that consume their states at the same time, and as many that store outcomes. */
export const CALLBACKS_AT_ONCE = 2;
/** How long a callback repeats what the database refuses, in milliseconds, before the exchange and again after it. */
export const CALLBACK_PATIENCE_MS = 10_000;
/** Concurrent statements that look accounts up, each for up to 100 states. */
const LOOKUPS = 2;

/**
 * Lets OAuth callbacks use the database in turns. Anyone can send thousands at once, and all of an account lock its row:
 * they wait here, without a connection, and those that end a flow do not wait for those that begin.
 */
export class CallbackTurns {
  private readonly owners: BatchedReads<Buffer, string>;
  private readonly begins = new Lanes(CALLBACKS_AT_ONCE);
  private readonly ends = new Lanes(CALLBACKS_AT_ONCE);

  constructor(private readonly db: Database) {
    this.owners = new BatchedReads(db, (digests) => this.accountsOf(digests), LOOKUPS);
  }

  /** The account whose flow has this state; undefined if there is none. Changes nothing. */
  ownerOf(state: string): Promise<string | undefined> {
    return workPatiently(() => this.owners.load(sha256(state)), CALLBACK_PATIENCE_MS);
  }

  /** Runs what consumes a state; see `workPatiently`. A callback that waited for too long for its turn is refused. */
  begin<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + CALLBACK_PATIENCE_MS;
    const inTime = (): Promise<T> => (performance.now() > deadline ? Promise.reject(tooLate()) : work());
    return workPatiently(() => this.begins.run(accountId, inTime), CALLBACK_PATIENCE_MS);
  }

  /** Runs what stores the outcome of a flow; see `workPatiently`. */
  end<T>(accountId: string, work: (attempt: number) => Promise<T>): Promise<T> {
    return workPatiently((attempt) => this.ends.run(accountId, () => work(attempt)), CALLBACK_PATIENCE_MS);
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

function tooLate(): AppError {
  return new AppError('unavailable', 'Too many callbacks of the account wait.', noTurn('No turn for a callback.'));
}
