import { type Client } from 'pg';
import { type QueryRunner } from 'typeorm';
import { cancelStatement } from '../connections/cancelling-client.js';

/** What `cancelOn` keeps with the connection that migrates. */
interface Interruption {
  signal: AbortSignal | undefined;
  log: (line: string) => void;
}

/** The rows of a batch: about a tenth of a second of work. */
const SIZE = 5_000;
/** A line for people after so many batches. */
const REPORT_EACH = 200;

/**
 * For a migration with `transaction = false` that changes many rows: executes a statement with the most rows of a batch as
 * `$1`, until it changes none. Each batch is a transaction of its own, so it locks few rows for a short time. After an
 * interruption the next start goes on: the statement must find the rows that are left by itself, e.g. `WHERE new IS NULL`.
 */
export async function inMigrationBatches(runner: QueryRunner, statement: string, size = SIZE): Promise<void> {
  const { signal, log } = runner.data as Partial<Interruption>;
  let total = 0;
  for (let batch = 1; ; batch += 1) {
    signal?.throwIfAborted();
    const { affected } = await runner.query(statement, [size], true);
    if (!affected) return;
    total += affected;
    if (batch % REPORT_EACH === 0) log?.(`migrations: ${total} rows are done`);
  }
}

/**
 * Lets `signal` interrupt the migrations of a connection: between two batches, and the statement that runs, however long it
 * takes. @returns the function that ends this.
 */
export async function cancelOn(
  signal: AbortSignal | undefined,
  runner: QueryRunner,
  log: (line: string) => void,
): Promise<() => void> {
  runner.data = { signal, log } satisfies Interruption;
  if (signal === undefined) return () => undefined;
  const client = (await runner.connect()) as Client;
  const cancel = (): void => cancelStatement(client);
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
