import pg from 'pg';

/**
 * Runs a statement that writes thousands of rows, on a connection without the time limits of the service: a test that
 * prepares its world must not fail because the machine is busy.
 */
export async function fill(url: string, sql: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql, [...values]).finally(() => client.end());
}
