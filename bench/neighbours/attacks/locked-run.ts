import { type Attack } from '../attack.js';

/**
 * Not caused by a caller: another session locks the rows of queued runs, as an index build or an operator with psql
 * does.
 */
export const lockedRun: Attack = {
  name: 'rows of runs that another session locks',
  lanes: 1,
  everyMs: 1_000,
  begin: async (attacker) => {
    const hook = await attacker.hook();
    return async () => {
      await attacker.post(hook, '1');
      await attacker.db.query('COMMIT');
      await attacker.db.query('BEGIN');
      await attacker.db.query('SELECT 1 FROM runs WHERE account_id = $1 AND finished_at IS NULL FOR UPDATE', [
        attacker.side.accountUuid,
      ]);
    };
  },
};
