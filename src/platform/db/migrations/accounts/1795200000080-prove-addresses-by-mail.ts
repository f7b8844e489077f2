import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class ProveAddressesByMail1795200000080 implements MigrationInterface {
  name = 'ProveAddressesByMail1795200000080';

  async up(runner: QueryRunner): Promise<void> {
    // SHA-256 of the token in the link that is mailed. The link of `digest` is shown to the inviter, and proves nothing.
    await runner.query(`ALTER TABLE invitations ADD mailed_digest bytea UNIQUE`);
    // Whether the link was mailed; then its use proves the address. Links of the operator prove nothing.
    await runner.query(`ALTER TABLE password_resets ADD mailed boolean NOT NULL DEFAULT false`);
    // The inviters of these users have seen their links. An issuer has verified the addresses of the others.
    await runner.query(`
      UPDATE users u SET email_verified = false
      WHERE NOT EXISTS (SELECT 1 FROM user_credentials c WHERE c.user_id = u.id AND c.provider <> 'credential')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE password_resets DROP mailed`);
    await runner.query(`ALTER TABLE invitations DROP mailed_digest`);
  }
}
