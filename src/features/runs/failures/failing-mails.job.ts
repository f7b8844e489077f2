import { type AccountMail } from '../../accounts/account-mail.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { failingMail, type FailingNotice } from './failing.email.js';

/** The minimum interval of mails about failing workflows to one person. */
const INTERVAL_MS = 600_000;
/** Accounts that one turn looks at. */
const AT_ONCE = 1_000;

/** The recipient of the notices of all accounts without users. */
const CONTACT = 'contact';

/**
 * The accounts with the oldest notices, by their recipient: the users of the account, or the operator for all that have
 * none. A recipient whose interval began after $1 is left out: it must not keep others from the first mail.
 */
const WAITING = `
  WITH due AS (
    SELECT r.recipient, n.account_id, n.oldest FROM (
      SELECT DISTINCT ON (account_id) account_id, id::text AS oldest FROM failure_notices ORDER BY account_id, id) n
    CROSS JOIN LATERAL (
      SELECT CASE WHEN EXISTS (SELECT 1 FROM users u WHERE u.account_id = n.account_id) THEN n.account_id::text
        ELSE '${CONTACT}' END AS recipient) r
    WHERE NOT EXISTS (SELECT 1 FROM failure_mails m WHERE m.recipient = r.recipient AND m.sent_at > $1)
    ORDER BY n.oldest LIMIT ${AT_ONCE})
  SELECT recipient, array_agg(account_id) AS accounts FROM due GROUP BY recipient ORDER BY min(oldest)`;

/** Deletes intervals that are over. The table stays small enough to be read as a whole. */
const FORGET = `DELETE FROM failure_mails WHERE sent_at <= $1`;

/**
 * SQL: the notices `n` of those accounts of $1 that still have users ($2 true) or still have none (false). The others have got
 * another recipient since they were read, and follow in the next turn.
 */
const STILL = `n.account_id = ANY ($1)
    AND EXISTS (SELECT 1 FROM users u WHERE u.account_id = n.account_id) = $2`;

/**
 * Begins an interval unless one is running or no notice is left. $3: the recipient, $4: now, $5: the latest beginning of
 * an interval that is over.
 */
const BEGIN = `
  INSERT INTO failure_mails AS m (recipient, sent_at) SELECT $3, $4::timestamptz
  WHERE EXISTS (SELECT 1 FROM failure_notices n WHERE ${STILL})
  ON CONFLICT (recipient) DO UPDATE SET sent_at = excluded.sent_at WHERE m.sent_at <= $5 RETURNING 1 AS one`;

const TAKE = `
  WITH taken AS (DELETE FROM failure_notices n WHERE ${STILL} RETURNING n.*)
  SELECT workflow_name AS "workflowName", failures, run_id AS "runUuid",
    account_id AS "accountId" FROM taken ORDER BY id`;

/** The latest beginning of an interval that is over. */
const endedAt = (now: Date): Date => new Date(now.getTime() - INTERVAL_MS);

/** What the job needs. */
interface Needs {
  db: Database;
  clock: Clock;
  mail: AccountMail;
  baseUrl: string;
}

/** Mails that workflows began to fail: at once, and after that at most one mail in ten minutes to a person. */
export function failingMailsJob({ db, clock, mail, baseUrl }: Needs): PeriodicJob {
  const locked = new LockedAccounts();
  const send = (recipient: string, accounts: readonly string[]): Promise<void> =>
    locked.attempt(db, recipient, async (tx) => {
      const now = clock.now();
      const ofUsers = recipient !== CONTACT;
      const begun = await tx.query(BEGIN, [accounts, ofUsers, recipient, now, endedAt(now)]);
      if (begun.length === 0) return;
      const notices = await tx.query<FailingNotice & { accountId: string } & Record<string, unknown>>(TAKE, [
        accounts,
        ofUsers,
      ]);
      const [first] = notices;
      // Another process has just taken them: its mail begins the interval.
      if (first === undefined) return;
      const key = `workflow-failing ${recipient} ${now.toISOString()}`;
      const composed = { accountId: first.accountId, key, ...failingMail(baseUrl, notices) };
      // Notices of many accounts in one mail: it goes to the operator even if one of them gets a user now.
      await (ofUsers ? mail.add(tx, composed) : mail.addToContact(tx, composed));
    });
  return {
    name: 'mail failing workflows',
    what: 'Mails the users of an account that workflows began to fail, at most once in ten minutes.',
    everyMs: 2_000,
    run: async (signal) => {
      const waiting = await db.query<{ recipient: string; accounts: string[] }>(WAITING, [endedAt(clock.now())]);
      await eachAlone(waiting, async ({ recipient, accounts }) => {
        if (signal?.aborted !== true) await send(recipient, accounts);
      });
      if (waiting.length > 0) await db.query(FORGET, [endedAt(clock.now())]);
    },
  };
}
