import { hashPassword } from 'better-auth/crypto';
import { type AccountService } from '../accounts/account.service.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { notFound } from '../../platform/errors.js';
import { randomToken, sha256 } from '../../platform/encryption/secrets.js';
import { checkProfile, insertUser } from './new-user.js';

/** The name of the account that is created for the first user. */
const FIRST_ACCOUNT = 'default';

/** The unvalidated input of the first user. */
export interface FirstUser {
  token: unknown;
  name: unknown;
  email: unknown;
  password: unknown;
}

/** The one-time link that creates the first user. It is void once a user exists, and when a newer link is made. */
export class SetUp {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly accounts: AccountService,
    private readonly baseUrl: string,
  ) {}

  /** Whether no account has a user yet. */
  async isNeeded(): Promise<boolean> {
    const rows = await this.db.query(`SELECT 1 AS one FROM users LIMIT 1`);
    return rows.length === 0;
  }

  /** Makes a new link, which voids the previous one; undefined once a user exists. */
  async newLink(): Promise<string | undefined> {
    if (!(await this.isNeeded())) return undefined;
    const token = randomToken();
    await this.db.query(
      `INSERT INTO set_up_link (digest) VALUES ($1) ON CONFLICT (one) DO UPDATE SET digest = EXCLUDED.digest`,
      [sha256(token)],
    );
    return `${this.baseUrl}/set-up/${token}`;
  }

  /**
   * Creates the first user in the existing account, or in a new one named `default`. @returns the uuid. @throws
   * AppError.
   */
  async complete({ token, name, email, password }: FirstUser): Promise<string> {
    const digest = sha256(String(token));
    const known = await this.db.query(`SELECT 1 AS one FROM set_up_link WHERE digest = $1`, [digest]);
    if (known.length === 0) throw notFound('set-up link');
    checkProfile({ name, email, password });
    const passwordHash = await hashPassword(password as string);
    return this.db.transaction(async (tx) => {
      const used = await tx.query(
        `DELETE FROM set_up_link WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM users) RETURNING 1 AS one`,
        [digest],
      );
      if (used.length === 0) throw notFound('set-up link');
      const user = { email: email as string, emailVerified: false, name: name as string, proof: { passwordHash } };
      return insertUser(tx, { ...user, accountId: await this.firstAccount(tx) }, this.clock.now());
    });
  }

  private async firstAccount(tx: Queryable): Promise<string> {
    const [account] = await tx.query<{ id: string }>(
      `SELECT id FROM accounts ORDER BY name = $1 DESC, created_at, id LIMIT 1`,
      [FIRST_ACCOUNT],
    );
    return account?.id ?? this.accounts.findOrCreate(tx, FIRST_ACCOUNT);
  }
}
