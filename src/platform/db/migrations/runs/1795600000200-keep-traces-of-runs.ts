import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The trace that a run and a mail belong to, as a header `traceparent`; null without tracing. */
export class KeepTracesOfRuns1795600000200 implements MigrationInterface {
  readonly name = 'KeepTracesOfRuns1795600000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs ADD COLUMN traceparent text`);
    await runner.query(`ALTER TABLE mails ADD COLUMN traceparent text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mails DROP COLUMN traceparent`);
    await runner.query(`ALTER TABLE runs DROP COLUMN traceparent`);
  }
}
