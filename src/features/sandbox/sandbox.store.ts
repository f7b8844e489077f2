import { type Clock } from '../../platform/clock.js';
import { sha256 } from '../../platform/encryption/secrets.js';

/** Executes one statement and returns its rows as plain objects. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** A user's consent, stored with each code and token issued for it. */
export interface Grant {
  accountId: string;
  scopes: string[];
  /** Lifetime of each access token, in seconds. */
  lifetime: number;
  refreshable: boolean;
}

/** A grant whose code was not exchanged yet. */
export interface CodeGrant extends Grant {
  redirectUri: string;
  codeChallenge: string;
}

/** The payload stored with each kind of token. */
export interface Payloads {
  code: CodeGrant;
  access: Grant;
  refresh: Grant;
}

/** A stored grant. All codes and tokens of one consent share a family. */
export interface Held<T> {
  payload: T;
  family: string;
}

/** Codes and tokens by their SHA-256. Several processes may share one store. */
export interface SandboxStore {
  put<K extends keyof Payloads>(kind: K, token: string, held: Held<Payloads[K]>, expiresAt: Date): Promise<void>;
  get<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined>;
  /** Takes a grant: only one caller ever gets it. Taking a used token ends its whole family (RFC 9700, 4.14.2). */
  take<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined>;
  /** Ends one token. An unknown or ended token is no error. */
  remove(kind: keyof Payloads, token: string): Promise<void>;
  /** Ends the tokens of these kinds of an account at the sandbox. */
  removeOf(accountId: string, kinds: readonly (keyof Payloads)[]): Promise<void>;
  /** Refuses the API key from now on, or takes it again. */
  refuseKey(isRefused: boolean): Promise<void>;
  isKeyRefused(): Promise<boolean>;
  /** Ends all codes and tokens of one consent, including those that a concurrent request is about to store. */
  removeFamily(family: string): Promise<void>;
}

/** How long an ended family is remembered, in milliseconds: longer than any token lives. */
const TOMBSTONE_MS = 400 * 24 * 3600 * 1000;

/** The row that stands for a refused API key: the digest of no token. */
const KEY_REFUSED = sha256('the API key of the sandbox is refused');

const ALIVE = `expires_at > $3 AND NOT EXISTS (
  SELECT FROM sandbox_grants AS ended WHERE ended.digest = sha256(convert_to(g.family::text, 'UTF8')))`;

/** A store in the table `sandbox_grants`. */
export class PostgresSandboxStore implements SandboxStore {
  constructor(
    private readonly query: Query,
    private readonly clock: Clock,
  ) {}

  async put<K extends keyof Payloads>(kind: K, token: string, held: Held<Payloads[K]>, expiresAt: Date): Promise<void> {
    await this.purge();
    await this.query(
      'INSERT INTO sandbox_grants (digest, kind, family, payload, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [sha256(token), kind, held.family, JSON.stringify(held.payload), expiresAt],
    );
  }

  async get<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined> {
    const rows = await this.query(
      `SELECT payload, family FROM sandbox_grants AS g WHERE digest = $1 AND kind = $2 AND ${ALIVE}`,
      [sha256(token), kind, this.clock.now()],
    );
    return rows[0] as Held<Payloads[K]> | undefined;
  }

  async take<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined> {
    const [taken] = await this.query(
      `UPDATE sandbox_grants AS g SET kind = 'taken ' || kind
       WHERE digest = $1 AND kind = $2 AND ${ALIVE} RETURNING payload, family`,
      [sha256(token), kind, this.clock.now()],
    );
    if (taken !== undefined) return taken as unknown as Held<Payloads[K]>;
    // A separate statement, so that it sees what a concurrent caller has just taken.
    const [before] = await this.query(
      `SELECT family::text AS family FROM sandbox_grants WHERE digest = $1 AND kind = 'taken ' || $2::text`,
      [sha256(token), kind],
    );
    if (before !== undefined) await this.removeFamily(before['family'] as string);
    return undefined;
  }

  async remove(kind: keyof Payloads, token: string): Promise<void> {
    await this.query('DELETE FROM sandbox_grants WHERE digest = $1 AND kind = $2', [sha256(token), kind]);
  }

  async removeOf(accountId: string, kinds: readonly (keyof Payloads)[]): Promise<void> {
    await this.query(`DELETE FROM sandbox_grants WHERE payload->>'accountId' = $1 AND kind = ANY($2)`, [
      accountId,
      kinds,
    ]);
  }

  async refuseKey(isRefused: boolean): Promise<void> {
    if (!isRefused) return void (await this.query('DELETE FROM sandbox_grants WHERE digest = $1', [KEY_REFUSED]));
    await this.query(
      `INSERT INTO sandbox_grants (digest, kind, payload, expires_at) VALUES ($1, 'key refused', '{}', $2)
       ON CONFLICT (digest) DO NOTHING`,
      [KEY_REFUSED, new Date(this.clock.now().getTime() + TOMBSTONE_MS)],
    );
  }

  async isKeyRefused(): Promise<boolean> {
    return (await this.query('SELECT 1 AS one FROM sandbox_grants WHERE digest = $1', [KEY_REFUSED])).length > 0;
  }

  async removeFamily(family: string): Promise<void> {
    await this.query(
      `WITH ended AS (
         INSERT INTO sandbox_grants (digest, kind, payload, expires_at) VALUES ($2, 'ended', '{}', $3)
         ON CONFLICT (digest) DO NOTHING)
       DELETE FROM sandbox_grants WHERE family = $1`,
      [family, sha256(family), new Date(this.clock.now().getTime() + TOMBSTONE_MS)],
    );
  }

  private async purge(): Promise<void> {
    await this.query(
      `DELETE FROM sandbox_grants WHERE digest IN (
         SELECT digest FROM sandbox_grants WHERE expires_at <= $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
      [this.clock.now()],
    );
  }
}
