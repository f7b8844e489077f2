/**
 * The advisory locks of the service, each of which has one number as its key: four letters in ASCII. Processes of two
 * versions run together during an update, so a key never changes.
 */
export const ADVISORY_LOCKS = {
  /** Held by the transaction that numbers events: "wfge". */
  eventNumbering: 0x77666765,
  /** Held while an index of the jobs is built: "wfgj". */
  jobIndex: 0x7766676a,
  /** Held while a secret of the installation is read or created: "wfgk". */
  keptSecrets: 0x7766676b,
  /** Held during migrations, so that processes that start together do not collide: "wfgm". */
  migrations: 0x7766676d,
  /** Held while weekly partitions are created: "wfgp". */
  partitions: 0x77666770,
  /** Held during a load, so that two do not share a target: "wfgr". */
  load: 0x77666772,
} as const;

type AdvisoryLock = keyof typeof ADVISORY_LOCKS;

/** SQL that waits for a lock and keeps it until the end of the transaction. */
export function lockSql(lock: AdvisoryLock): string {
  return `pg_advisory_xact_lock(${ADVISORY_LOCKS[lock]})`;
}

/** SQL that takes a lock until the end of the session; false if another session has it. */
export function tryLockSql(lock: AdvisoryLock): string {
  return `pg_try_advisory_lock(${ADVISORY_LOCKS[lock]})`;
}

/**
 * SQL expressions for the two keys of a lock of an account, from its uuid and a text that says what is locked. A user can
 * choose a text for any hash. But locks with two keys never meet those with one, and the first key depends on the uuid
 * alone, which the service chooses: so a text locks nothing of another account, nor of the service.
 */
export function accountKeysSql(account: string, text: string): { first: string; second: string } {
  return { first: `hashtext(${account}::text)`, second: `hashtext(${text})` };
}

/** SQL that waits for a lock of an account and keeps it until the end of the transaction. */
export function accountLockSql({ first, second }: { first: string; second: string }): string {
  return `pg_advisory_xact_lock(${first}, ${second})`;
}
