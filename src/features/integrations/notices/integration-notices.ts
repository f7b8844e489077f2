import { type AccountMail } from '../../accounts/account-mail.js';
import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { eachDue } from '../../../platform/jobs/each-alone.js';
import { inTurns } from '../../../platform/jobs/in-turns.js';
import { LockedAccounts } from '../../../platform/jobs/locked-accounts.js';
import { withdrawMails } from '../../../platform/mail/mail-queue.js';
import { type AppRegistry } from '../apps/registry.js';
import { dependentsOf } from './dependents.js';
import { type BreakReason, brokenMail, isBreak } from './integration-broken.email.js';
import { expiringMail } from './integration-expiring.email.js';
import { type MailedIntegration } from './integration-mail.js';
import { NOT_RENEWABLE } from '../integration-filter.js';
import { recordExpiringEvent } from '../changes/integration-webhook.js';
import { Integration } from '../integration.entity.js';
import { type StatusReason } from '../changes/integration-status.js';
import { type ChangeFollower } from '../changes/record-change.js';

const BATCH = 100;
const COLUMNS = columnsOf(Integration, 'i');

/** SQL for integrations that are due for an expiry mail: not renewable, not expired yet, and not being renewed. */
const ENDS_SOON = `i.notice_at <= $1 AND ${NOT_RENEWABLE}
  AND i.notice_at IS NOT NULL AND i.expires_at > $1 AND i.deleted_at IS NULL
  AND (i.renewal_until IS NULL OR i.renewal_until <= clock_now())`;

/** The dependencies of `IntegrationNotices`. */
export interface NoticeDependencies {
  db: Database;
  clock: Clock;
  mail: AccountMail;
  apps: AppRegistry;
  baseUrl: string;
}

/** Actions of a person that make mails about a broken or expiring connection unnecessary. */
const SETTLED: ReadonlySet<StatusReason> = new Set(['reconnected', 'disconnected_by_user', 'deleted']);

/**
 * Records in the transaction of the change that a connection broke, so that a mail is sent. Withdraws unsent mails once
 * a person has reconnected, disconnected or deleted the integration.
 */
export const recordBreaks: ChangeFollower = async (tx, { uuid, accountId, version }, { reason }) => {
  const isNew = isBreak(reason);
  if (!isNew && !SETTLED.has(reason)) return;
  await tx.query(`UPDATE integrations SET unmailed_break = $2 WHERE id = $1`, [uuid, isNew ? version : null]);
  if (!isNew) await withdrawMails(tx, accountId, [`${expiringKey(uuid)} `, `${brokenKey(uuid)} `]);
};

/** An integration about which a mail is due. */
interface Due {
  id: string;
  account: string;
}

/**
 * Queues mails about connections that expire soon or broke. Each mail is queued once, by the process that locks the
 * row first.
 */
export class IntegrationNotices {
  private readonly locked = { expiring: new LockedAccounts(), broken: new LockedAccounts() };

  constructor(private readonly deps: NoticeDependencies) {}

  /** Queues the mails that are due, seven days before the expiry. */
  async mailExpiring(): Promise<void> {
    const { db, clock } = this.deps;
    const due = inTurns(
      `SELECT i.id, i.account_id AS account, i.notice_at AS at FROM integrations i
       WHERE ${ENDS_SOON} AND i.account_id <> ALL ($3::uuid[])`,
    );
    await eachDue({
      ...{ db, locked: this.locked.expiring, batch: BATCH },
      due: (limit, resting) => db.query<Due & Record<string, string>>(`${due} LIMIT $2`, [clock.now(), limit, resting]),
      work: (tx, { id }) => this.mailExpiringOne(tx, id),
    });
  }

  /** Queues the mails about broken connections. */
  async mailBroken(): Promise<void> {
    const { db } = this.deps;
    const due = inTurns(
      `SELECT id, account_id AS account, id AS at FROM integrations
       WHERE unmailed_break IS NOT NULL AND account_id <> ALL ($2::uuid[])`,
    );
    await eachDue({
      ...{ db, locked: this.locked.broken, batch: BATCH },
      due: (limit, resting) => db.query<Due & Record<string, string>>(`${due} LIMIT $1`, [limit, resting]),
      work: (tx, { id }) => this.mailBrokenOne(tx, id),
    });
  }

  private async mailExpiringOne(tx: Transaction, uuid: string): Promise<void> {
    const { clock, mail } = this.deps;
    const now = clock.now();
    const [integration] = await tx.select(
      Integration,
      `SELECT ${COLUMNS} FROM integrations i WHERE i.id = $2 AND ${ENDS_SOON} FOR UPDATE`,
      [now, uuid],
    );
    if (integration === undefined) return;
    const { accountId, lastExpiresAt } = integration;
    const key = `${expiringKey(uuid)} ${lastExpiresAt!.toISOString()}`;
    await mail.add(tx, { accountId, key, ...expiringMail(await this.describe(tx, integration), lastExpiresAt!) });
    await tx.query(`UPDATE integrations SET notice_at = NULL WHERE id = $1`, [uuid]);
    await recordExpiringEvent(tx, now, integration);
  }

  private async mailBrokenOne(tx: Transaction, uuid: string): Promise<void> {
    const [integration] = await tx.select(
      Integration,
      `SELECT ${COLUMNS} FROM integrations i WHERE i.id = $1 AND i.unmailed_break IS NOT NULL FOR UPDATE`,
      [uuid],
    );
    if (integration === undefined) return;
    const [change] = await tx.query<{ reason: BreakReason | null; version: number }>(
      `UPDATE integrations i SET unmailed_break = NULL
       FROM integrations b LEFT JOIN integration_changes c ON c.integration_id = b.id AND c.version = b.unmailed_break
       WHERE b.id = $1 AND i.id = b.id RETURNING c.reason, b.unmailed_break AS version`,
      [uuid],
    );
    const { reason, version } = change!;
    // Without a reason the change was deleted: the break is too old for a mail.
    if (reason === null || integration.deletedAt !== null) return;
    const { accountId } = integration;
    const key = `${brokenKey(uuid)} ${version}`;
    await this.deps.mail.add(tx, { accountId, key, ...brokenMail(await this.describe(tx, integration), reason) });
  }

  private async describe(tx: Transaction, integration: Integration): Promise<MailedIntegration> {
    const { accountId, type, id, name, reference, externalName } = integration;
    const { apps, baseUrl } = this.deps;
    const [account] = await tx.query<{ name: string }>(`SELECT name FROM accounts WHERE id = $1`, [accountId]);
    const dependents = await dependentsOf(tx, integration, apps);
    const appName = apps.get(type)?.name ?? type;
    return { id, name, appName, accountName: account!.name, reference, externalName, dependents, baseUrl };
  }
}

/** The prefix of the keys of an integration's expiry mails. The rest of a key makes each mail unique. */
function expiringKey(integration: string): string {
  return `integration-expiring ${integration}`;
}

function brokenKey(integration: string): string {
  return `integration-broken ${integration}`;
}
