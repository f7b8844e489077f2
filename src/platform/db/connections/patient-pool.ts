import pg from 'pg';
import { isDatabaseAway, isDatabaseSilent } from '../../errors.js';

/** How long new connections are tried again, from the first that failed: a planned switchover, or a restart, takes less. */
const BRIDGED_MS = 4_500;
const AGAIN_MS = 50;
/** A failure this long after the one before belongs to another absence, although no new connection was needed in between. */
const ANOTHER_MS = 10_000;

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/**
 * A pool that bridges a short absence of the database: a caller waits for a connection instead of being refused. When it
 * takes longer, all are refused at once until a connection is there again. Nothing has been sent on a connection that could
 * not be opened, so no statement can happen twice.
 */
export class PatientPool extends pg.Pool {
  /** When the absence began, in milliseconds of `performance.now()`. */
  private awaySince = Infinity;
  private lastFailure = -Infinity;

  constructor(options?: pg.PoolConfig) {
    super(options);
    this.on('connect', () => (this.awaySince = Infinity));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (callback !== undefined) this.attempt(callback);
    else {
      return new Promise((resolve, reject) =>
        this.attempt((error, client) => (error === undefined ? resolve(client!) : reject(error))),
      );
    }
    return undefined;
  }

  private attempt(callback: Callback): void {
    const begun = performance.now();
    super.connect((error, client, release) => {
      if (error && isRefused(error) && this.isBridged(begun)) setTimeout(() => this.attempt(callback), AGAIN_MS);
      else callback(error ?? undefined, client, release);
    });
  }

  /** Whether the absence is short until now. `begun`: of an attempt that failed. */
  private isBridged(begun: number): boolean {
    const now = performance.now();
    const isAnother = begun - this.lastFailure > ANOTHER_MS;
    this.awaySince = isAnother ? begun : Math.min(this.awaySince, begun);
    this.lastFailure = now;
    return now - this.awaySince < BRIDGED_MS;
  }
}

/** A database that is silent has used up the caller's time; one with too many connections is not away. */
function isRefused(error: Error): boolean {
  return isDatabaseAway(error) && !isDatabaseSilent(error) && (error as { code?: unknown }).code !== '53300';
}
