import { type Transaction } from '../../platform/db/database.js';
import { ONE_TRIGGER } from './configs/trigger-columns.js';
import { Trigger } from './trigger.entity.js';

/**
 * Locks a trigger's workflow and reads the trigger. The workflow is locked because (de)activating it changes the ticks
 * of its triggers. Locking the trigger too could deadlock: a transaction that ends an integration locks the integration
 * first and its triggers then, while validation here locks the integration last. A second statement reads the trigger,
 * so that it sees changes committed during the wait for the lock.
 */
export async function readWithLockedWorkflow(tx: Transaction, uuid: string, accountId: string): Promise<Trigger[]> {
  await tx.query(
    `SELECT 1 FROM workflows w WHERE w.id = (SELECT workflow_id FROM triggers WHERE id = $1 AND account_id = $2)
     FOR NO KEY UPDATE`,
    [uuid, accountId],
  );
  return tx.select(Trigger, ONE_TRIGGER, [uuid, accountId]);
}
