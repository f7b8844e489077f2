import { type Database } from '../../../platform/db/database.js';
import { UnreadableError } from '../../../platform/encryption/unreadable.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { triggerContext } from '../trigger-config.js';

/** The settings of a webhook trigger: its signature and its deduplication. */
export interface HookSettings {
  triggerUuid: string;
  accountId: string;
  /** Sealed; null if posts need no signature. */
  secret: string | null;
  signatureHeader: string | null;
  dedupeHeader: string | null;
}

/** The settings of hooks by token digest in hex. Unknown ones are missing. */
export async function findHookSettings(db: Database, digests: readonly Buffer[]): Promise<Map<string, HookSettings>> {
  const rows = await db.query<HookSettings & { digest: Buffer }>(
    `SELECT hook_digest AS digest, id AS "triggerUuid", account_id AS "accountId", config->>'secret' AS secret,
            config->>'signature_header' AS "signatureHeader", config->>'dedupe_header' AS "dedupeHeader"
     FROM triggers WHERE hook_digest = ANY($1::bytea[])`,
    [digests],
  );
  return new Map(rows.map((row) => [row.digest.toString('hex'), row]));
}

/**
 * The secret that signs the posts of a hook; null if posts need no signature.
 * @throws UnreadableError if it can't be decrypted: the hook then refuses every post.
 */
export function openHookSecret(secrets: Secrets, { secret, accountId, triggerUuid }: HookSettings): string | null {
  if (secret === null) return null;
  const opened = JSON.parse(secrets.open(secret, triggerContext(accountId, triggerUuid))) as unknown;
  if (typeof opened !== 'string') throw new UnreadableError('The secret of a hook is not a text.');
  return opened;
}
