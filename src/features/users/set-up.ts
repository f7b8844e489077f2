import { hashPassword } from 'better-auth/crypto';
import { type AccountService } from '../accounts/account.service.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { notFound } from '../../platform/errors.js';
import { randomToken, sha256 } from '../../platform/encryption/secrets.js';
import { checkProfile, insertUser } from './new-user.js';

/** The account of the first user of an empty database. */
const FIRST_ACCOUNT = 'default';

/** What the first user tells of themselves; judged here. */
export interface FirstUser {
  token: unknown;
  name: unknown;
  email: unknown;
  password: unknown;
}

/** The one-time link that makes the first user. It is void as soon as there is one, and when a later one is made. */
export class SetUp {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly accounts: AccountService,
    private readonly baseUrl: string,
  ) {}

  /** Whether there is no user yet, in any account. */
  async isNeeded(): Promise<boolean> {
    const rows = await this.db.query(`SELECT 1 AS one FROM users LIMIT 1`);
    return rows.length === 0;
  }

  /** A fresh link, which voids the one before; undefined once there is a user. */
  async newLink(): Promise<string | undefined> {
    if (!(await this.isNeeded())) return undefined;
    const token = randomToken();
    await this.db.query(
      `INSERT INTO set_up_link (digest) VALUES ($1) ON CONFLICT (one) DO UPDATE SET digest = EXCLUDED.digest`,
      [sha256(token)],
    );
    return `${this.baseUrl}/set-up/${token}`;
  }

  /** Makes the first user, in the account that there is, or in `default`. @returns the uuid. @throws AppError. */
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
