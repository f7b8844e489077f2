import { recordAudit } from '../audit-log/record-audit.js';
import { type AccountService } from '../accounts/account.service.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { type PasswordHash } from '../../platform/encryption/password-hash.js';
import { notFound } from '../../platform/errors.js';
import { randomToken, sha256 } from '../../platform/encryption/secrets.js';
import { checkProfile, insertUser } from './new-user.js';
import { ownAudit } from './user-audit.js';

/** The name of the account that is created for the first user. */
const FIRST_ACCOUNT = 'default';

/** The unvalidated input of the first user. */
export interface FirstUser {
  token: unknown;
  name: unknown;
  email: unknown;
  password: unknown;
}

/** What the link needs. */
export interface SetUpDependencies {
  db: Database;
  clock: Clock;
  accounts: AccountService;
  hash: PasswordHash['hash'];
  baseUrl: string;
}

/** The most links that are valid at once: far more than processes that start while there is no user. */
const MAX_LINKS = 100;

/** The links that create the first user. Each start makes one; all of them are void once a user exists. */
export class SetUp {
  constructor(private readonly deps: SetUpDependencies) {}

  /** Whether no account has a user yet. */
  async isNeeded(): Promise<boolean> {
    const rows = await this.deps.db.query(`SELECT 1 AS one FROM users LIMIT 1`);
    return rows.length === 0;
  }

  /** Makes a new link; undefined once a user exists. Those of other processes stay valid. */
  async newLink(): Promise<string | undefined> {
    if (!(await this.isNeeded())) return undefined;
    const token = randomToken();
    await this.deps.db.query(
      `WITH surplus AS (
         DELETE FROM set_up_links WHERE digest IN (SELECT digest FROM set_up_links ORDER BY created_at DESC OFFSET $2)
       )
       INSERT INTO set_up_links (digest, created_at) VALUES ($1, clock_now())`,
      [sha256(token), MAX_LINKS - 1],
    );
    return `${this.deps.baseUrl}/set-up/${token}`;
  }

  /**
   * Creates the first user in the existing account, or in a new one named `default`. @returns the uuid. @throws
   * AppError.
   */
  async complete({ token, name, email, password }: FirstUser): Promise<string> {
    const digest = sha256(String(token));
    const known = await this.deps.db.query(`SELECT 1 AS one FROM set_up_links WHERE digest = $1`, [digest]);
    if (known.length === 0) throw notFound('set-up link');
    checkProfile({ name, email, password });
    const passwordHash = await this.deps.hash(password as string);
    return this.deps.db.transaction(async (tx) => {
      // Two links used at the same time make one user: the second transaction waits here, and then sees the user.
      await tx.query(`LOCK TABLE set_up_links IN EXCLUSIVE MODE`);
      const used = await tx.query(
        `DELETE FROM set_up_links WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM users) RETURNING 1 AS one`,
        [digest],
      );
      if (used.length === 0) throw notFound('set-up link');
      const user = { email: email as string, emailVerified: false, name: name as string, proof: { passwordHash } };
      const accountId = await this.firstAccount(tx);
      const now = this.deps.clock.now();
      const uuid = await insertUser(tx, { ...user, accountId }, now);
      await recordAudit(tx, now, ownAudit('user.created', { accountId, uuid }));
      return uuid;
    });
  }

  private async firstAccount(tx: Queryable): Promise<string> {
    const [account] = await tx.query<{ id: string }>(
      `SELECT id FROM accounts ORDER BY name = $1 DESC, created_at, id LIMIT 1`,
      [FIRST_ACCOUNT],
    );
    return account?.id ?? this.deps.accounts.findOrCreate(tx, FIRST_ACCOUNT);
  }
}
