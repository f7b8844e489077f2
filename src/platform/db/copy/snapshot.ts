import { type Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams, { type CopyToStreamQuery } from 'pg-copy-streams';
import { majorVersion, openCopyClient } from './copy-client.js';
import { type CopiedTable, type Layout, layoutOf, migrationsOf } from './layout.js';

/** The connections that copy tables at the same time. */
const LANES = 3;

/** One consistent state of a database, read by several connections; writers are not blocked. */
export class Snapshot {
  private constructor(
    /** Everything that was committed before this time is in the snapshot. */
    readonly time: Date,
    readonly postgresql: number,
    readonly migrations: readonly string[],
    readonly layout: Layout,
    private readonly lanes: readonly pg.Client[],
  ) {}

  /** Opens a snapshot. Its locks keep partitions from being dropped until it is closed. */
  static async open(url: string, lanes = LANES): Promise<Snapshot> {
    const clients: pg.Client[] = [];
    try {
      const first = await openCopyClient(url);
      clients.push(first);
      await first.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // The time of BEGIN, hence before the snapshot.
      const { rows } = await first.query<{ time: Date; id: string }>(
        'SELECT now() AS time, pg_export_snapshot() AS id',
      );
      const layout = await layoutOf(first);
      const names = layout.tables.map(({ name }) => name);
      if (names.length > 0) await first.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
      const { time, id } = rows[0]!;
      while (clients.length < lanes) {
        const client = await openCopyClient(url);
        clients.push(client);
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await client.query(`SET TRANSACTION SNAPSHOT '${id}'`);
      }
      return new Snapshot(time, await majorVersion(first), await migrationsOf(first), layout, clients);
    } catch (error) {
      await Promise.all(clients.map((client) => client.end()));
      throw error;
    }
  }

  /** The first of the connections, which is inside the snapshot. */
  get client(): pg.Client {
    return this.lanes[0]!;
  }

  /**
   * Calls `receive` with the rows of each table in PostgreSQL's text format, a few tables at the same time.
   * @returns the number of rows of each table.
   */
  async copyAll(receive: (table: CopiedTable, rows: Readable) => Promise<void>): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const waiting = [...this.layout.tables];
    await Promise.all(
      this.lanes.map(async (lane) => {
        for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
          const rows = copyOut(lane, table);
          await receive(table, rows);
          counts.set(table.name, rows.rowCount);
        }
      }),
    );
    return counts;
  }

  /** Ends the connections, also in the middle of a copy. */
  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => endNow(lane)));
  }
}

/** The rows of a table as a stream; a partitioned table is read with its partitions. */
export function copyOut(client: pg.Client, { name, columns }: CopiedTable): CopyToStreamQuery {
  return client.query(copyStreams.to(`COPY (SELECT ${columns.join(', ')} FROM ${name}) TO STDOUT`));
}

/** Closes a connection without waiting for its statement, which may be a copy without a reader. */
export async function endNow(client: pg.Client): Promise<void> {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await client.end().catch(() => undefined);
}
