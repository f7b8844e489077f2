import { type Clock } from '../../platform/clock.js';
import { sha256 } from '../../platform/encryption/secrets.js';

/** Runs one statement and gives its rows as plain objects. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** What the provider remembers of a user's consent, with each code and token that came of it. */
export interface Grant {
  accountId: string;
  scopes: string[];
  /** Seconds that each access token lives. */
  lifetime: number;
  refreshable: boolean;
}

/** A grant that waits for its code to be exchanged. */
export interface CodeGrant extends Grant {
  redirectUri: string;
  codeChallenge: string;
}

export interface Payloads {
  code: CodeGrant;
  access: Grant;
  refresh: Grant;
}

/** A stored grant: all that one consent led to shares a family. */
export interface Held<T> {
  payload: T;
  family: string;
}

/** Where the provider keeps what it issued, by SHA-256. Several processes may share one. */
export interface SandboxStore {
  put<K extends keyof Payloads>(kind: K, token: string, held: Held<Payloads[K]>, expiresAt: Date): Promise<void>;
  get<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined>;
  /** Takes a grant, which only one caller ever gets. A token that was taken before ends its whole family (RFC 9700, 4.14.2). */
  take<K extends keyof Payloads>(kind: K, token: string): Promise<Held<Payloads[K]> | undefined>;
  /** Ends one token alone; that it is unknown, or ended already, is no error. */
  remove(kind: keyof Payloads, token: string): Promise<void>;
  /** Ends all that came of one consent, also what a request under way is about to put. */
  removeFamily(family: string): Promise<void>;
}

/** Milliseconds that an ended family is remembered: longer than any token lives. */
const TOMBSTONE_MS = 400 * 24 * 3600 * 1000;

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
    // A statement of its own, so that it sees what a caller at the same moment has just taken.
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
