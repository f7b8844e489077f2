import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { dropDatabase } from '../../support/database/database.js';

/** An empty database on the server of the tests. */
export interface EmptyTarget {
  url: string;
  query<T extends object = Record<string, any>>(text: string): Promise<T[]>;
  drop(): Promise<void>;
}

/** Creates an empty database, without any migration. */
export async function emptyTarget(): Promise<EmptyTarget> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  const admin = process.env.TEST_ADMIN_URL!;
  const url = new URL(admin);
  url.pathname = `/${name}`;
  await once(admin, `CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    url: url.href,
    query: (text) => once(url.href, text),
    drop: async () => {
      const client = new pg.Client({ connectionString: admin });
      await client.connect();
      await dropDatabase(client, name).finally(() => client.end());
    },
  };
}

async function once<T extends object>(connectionString: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
