import { type Database } from '../../../platform/db/database.js';
import { eachAlone } from '../../../platform/jobs/each-alone.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { disableWebhook } from '../end-pending.js';
import { backlogMail } from '../webhook-failing.email.js';
import { type SettleDependencies } from './settle-delivery.js';

/** The maximum of deliveries of an account that wait, not counting those that a client requested again. */
export const MAX_WAITING_DELIVERIES = 100_000;

/** Whether so many wait that an account could have too many: this reads an index, and only so many entries. */
const MAY_BE = `SELECT 1 FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL OFFSET ${MAX_WAITING_DELIVERIES} LIMIT 1`;

/** The webhooks that the limit of their account does not leave room for, beginning with the shortest backlogs. */
const BEYOND = `
  WITH backlogs AS (
    SELECT webhook_id, count(*)::int AS waiting FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL AND first_id IS NULL GROUP BY webhook_id),
  summed AS (
    SELECT w.id AS webhook, w.account_id, b.waiting,
      sum(b.waiting) OVER (PARTITION BY w.account_id ORDER BY b.waiting, w.id DESC) AS sum
    FROM backlogs b JOIN webhooks w ON w.id = b.webhook_id AND w.status = 'enabled')
  SELECT webhook, account_id AS account, waiting FROM summed WHERE sum > ${MAX_WAITING_DELIVERIES}`;

/**
 * Bounds what waits for receivers. Its deliveries fail and stay in the log; the events stay in the log of the account. A
 * count with each event would cost as much as all that wait, so the limit may be exceeded for some seconds.
 */
export function backlogsJob(deps: SettleDependencies): PeriodicJob {
  const locked = new LockedAccounts();
  return {
    name: 'disable webhooks with backlogs',
    what: 'Disables the webhooks with the longest backlogs of an account with more than 100,000 waiting deliveries.',
    everyMs: 10_000,
    run: () => disableBacklogs(deps, locked),
  };
}

async function disableBacklogs({ db, clock, mail }: SettleDependencies, locked: LockedAccounts): Promise<void> {
  await eachAlone(await beyond(db), ({ webhook, account, waiting }) =>
    locked.attempt(db, account, async (tx) => {
      const [enabled] = await tx.query<{ url: string }>(
        `SELECT url FROM webhooks WHERE id = $1 AND status = 'enabled' FOR NO KEY UPDATE`,
        [webhook],
      );
      if (enabled === undefined) return;
      const at = clock.now();
      await disableWebhook(tx, webhook, 'backlog', at);
      await mail.add(tx, backlogMail({ accountId: account, webhookUuid: webhook, url: enabled.url, waiting, at }));
    }),
  );
}

async function beyond(db: Database): Promise<{ webhook: string; account: string; waiting: number }[]> {
  return (await db.query(MAY_BE)).length === 0 ? [] : db.query(BEYOND);
}
