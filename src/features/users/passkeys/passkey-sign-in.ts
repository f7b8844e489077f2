import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { validationError } from '../../../platform/errors.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { type Asker, type SignedIn, type SignIn } from '../sign-in/sign-in.js';
import { type Challenges } from './challenges.js';
import { type Assertion, MAX_ID_BYTES, passkeyRefused, type PasskeyProtocol } from './passkey-protocol.js';

/** A stored passkey. */
interface StoredKey {
  uuid: string;
  userId: string;
  publicKey: Buffer;
  counter: string;
}

/** What signing in by passkey needs. */
export interface PasskeySignInDependencies {
  db: Database;
  clock: Clock;
  challenges: Challenges;
  protocol: PasskeyProtocol;
  signIn: SignIn;
}

/** Signs in the person who has a passkey. It proves the person; it says nothing about the user's address. */
export class PasskeySignIn {
  constructor(private readonly deps: PasskeySignInDependencies) {}

  /** What a browser needs to sign in. Reads no table. */
  begin(): Promise<object> {
    return this.deps.protocol.requestOptions();
  }

  /** @throws AppError `unauthorized`, or `validation_error` for a body without a response. */
  async finish(asker: Asker, { response }: Readonly<Record<string, unknown>>): Promise<SignedIn> {
    if (typeof response !== 'object' || response === null) {
      throw validationError({ field: 'response', message: 'must be an object' });
    }
    const stored = await this.find((response as { id?: unknown }).id);
    if (stored === undefined) throw passkeyRefused();
    const { uuid, userId, publicKey, counter } = stored;
    const { id } = response as { id: string };
    const credential = { userId, id, publicKey: Uint8Array.from(publicKey), counter: Number(counter) };
    const assertion = await this.deps.protocol.asserted(response, credential);
    return this.deps.signIn.byUser(asker, userId, async () => {
      if (!(await this.use(uuid, assertion))) throw passkeyRefused();
    });
  }

  private async find(id: unknown): Promise<StoredKey | undefined> {
    const bytes = typeof id === 'string' ? Buffer.from(id, 'base64url') : Buffer.alloc(0);
    if (bytes.length === 0 || bytes.length > MAX_ID_BYTES) return undefined;
    const [key] = await this.deps.db.query<StoredKey & { [key: string]: unknown }>(
      `SELECT id AS uuid, user_id AS "userId", public_key AS "publicKey", counter FROM passkeys WHERE credential_id = $1`,
      [bytes],
    );
    return key;
  }

  /**
   * Stores the use of a passkey. @returns false if the challenge was used before, a later use was stored, or the passkey
   * was deleted in between.
   */
  private async use(uuid: string, { counter, challenge }: Assertion): Promise<boolean> {
    const { db, clock, challenges } = this.deps;
    const used = await db.query(
      `WITH spent AS (
         INSERT INTO spent_challenges (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1
       )
       UPDATE passkeys SET counter = $4, used_at = $5
       WHERE id = $3 AND EXISTS (SELECT 1 FROM spent) AND (counter < $4 OR counter = 0 AND $4 = 0) RETURNING 1 AS one`,
      [sha256(challenge), challenges.endOf(challenge), uuid, counter, clock.now()],
    );
    return used.length > 0;
  }
}
