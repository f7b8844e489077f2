import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetSetUpLinksStayValid1795400000400 implements MigrationInterface {
  name = 'LetSetUpLinksStayValid1795400000400';

  async up(runner: QueryRunner): Promise<void> {
    // One row for each start while there is no user: a link that one process printed works after the start of another.
    await runner.query(`
      CREATE TABLE set_up_links (
        digest bytea PRIMARY KEY,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`INSERT INTO set_up_links SELECT digest, clock_now() FROM set_up_link`);
    // Processes of the version before use "set_up_link". Its table remains until no supported version does, and both tell
    // the same: the last link works on every process, and a used one on none.
    await runner.query(`
      CREATE FUNCTION mirror_set_up_link() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
        IF TG_TABLE_NAME = 'set_up_link' THEN
          IF TG_OP = 'DELETE' THEN DELETE FROM set_up_links;
          ELSE INSERT INTO set_up_links VALUES (NEW.digest, clock_now()) ON CONFLICT DO NOTHING;
          END IF;
        ELSIF TG_OP = 'DELETE' THEN DELETE FROM set_up_link WHERE digest = OLD.digest;
        ELSE INSERT INTO set_up_link (digest) VALUES (NEW.digest) ON CONFLICT (one) DO UPDATE SET digest = EXCLUDED.digest;
        END IF;
        RETURN NULL;
      END $$`);
    for (const table of ['set_up_link', 'set_up_links'])
      await runner.query(`
        CREATE TRIGGER mirror AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION mirror_set_up_link()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE set_up_links`);
    await runner.query(`DROP TRIGGER mirror ON set_up_link`);
    await runner.query(`DROP FUNCTION mirror_set_up_link`);
  }
}
