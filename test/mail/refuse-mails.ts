import { type Queryable } from '../../src/platform/db/database.js';

/** Lets the database take no mail, as if it were starting up. @returns the function that ends this. */
export async function refuseMails(db: Queryable): Promise<() => Promise<unknown>> {
  await db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'starting up' USING ERRCODE = 'cannot_connect_now'; END $$`,
  );
  await db.query(`CREATE TRIGGER refuse BEFORE INSERT ON mails EXECUTE FUNCTION refuse()`);
  return () => db.query(`DROP FUNCTION refuse CASCADE`);
}
