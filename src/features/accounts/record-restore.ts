import { type Queryable } from '../../platform/db/database.js';
import { recordAudit } from '../audit-log/record-audit.js';

/** Writes an entry into the audit log of every account of a restored database; `time` is that of the backup. */
export async function recordRestore(tx: Queryable, now: Date, time: string): Promise<void> {
  const accounts = await tx.query<{ id: string; name: string }>(`SELECT id, name FROM accounts ORDER BY id`);
  const after = { backup_time: time };
  const entries = accounts.map(({ id, name }) => ({ accountId: id, resource: id, name, after }));
  await recordAudit(tx, now, ...entries.map((entry) => ({ action: 'account.restored' as const, ...entry })));
}
