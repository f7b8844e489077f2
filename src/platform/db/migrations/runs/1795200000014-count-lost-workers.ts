import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CountLostWorkers1795200000014 implements MigrationInterface {
  name = 'CountLostWorkers1795200000014';

  async up(runner: QueryRunner): Promise<void> {
    // The number of consecutive workers that died over the run before they saved a step of it.
    await runner.query(`ALTER TABLE runs ADD COLUMN workers_lost integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN workers_lost`);
  }
}
