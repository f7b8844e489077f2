import { type AccountMail } from '../../accounts/account-mail.js';
import { type Clock } from '../../../platform/clock.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { withdrawMails } from '../../../platform/mail/mail-queue.js';
import { type AppRegistry } from '../apps/registry.js';
import { dependentsOf } from './dependents.js';
import { eachDue } from '../tokens/each-alone.js';
import { type BreakReason, brokenMail, isBreak } from './integration-broken.email.js';
import { expiringMail } from './integration-expiring.email.js';
import { type MailedIntegration } from './integration-mail.js';
import { NOT_RENEWABLE } from '../integration-filter.js';
import { recordExpiringEvent } from '../changes/integration-webhook.js';
import { Integration } from '../integration.entity.js';
import { type StatusReason } from '../changes/integration-status.js';
import { type ChangeFollower } from '../changes/record-change.js';

const BATCH = 100;
const EVERY_MS = 2_000;
const COLUMNS = columnsOf(Integration, 'i');

/** Who is told that it ends: connected, with nothing to renew it, or a refresh token whose last use failed or moved nothing. */
const ENDS_SOON = `i.notice_at <= $1 AND ${NOT_RENEWABLE}
  AND i.notice_at IS NOT NULL AND i.expires_at > $1 AND i.deleted_at IS NULL
  AND (i.renewal_until IS NULL OR i.renewal_until <= clock_now())`;

export interface NoticeDependencies {
  db: Database;
  clock: Clock;
  mail: AccountMail;
  apps: AppRegistry;
  baseUrl: string;
}

/** What people did, after which nobody has to be told any more that a connection broke or is about to end. */
const SETTLED: ReadonlySet<StatusReason> = new Set(['reconnected', 'disconnected_by_user', 'deleted']);

/**
 * Remembers, with the change, that a connection broke by itself and is to be mailed; once people have seen to it, what
 * did not go out by then does not.
 */
export const recordBreaks: ChangeFollower = async (tx, { uuid, accountId, version }, { reason }) => {
  const isNew = isBreak(reason);
  if (!isNew && !SETTLED.has(reason)) return;
  await tx.query(`UPDATE integrations SET unmailed_break = $2 WHERE id = $1`, [uuid, isNew ? version : null]);
  if (!isNew) await withdrawMails(tx, accountId, [`${expiringKey(uuid)} `, `${brokenKey(uuid)} `]);
};

/** Mails about connections that end soon and that broke: each once, by whichever process locks the row first. */
export class IntegrationNotices {
  constructor(private readonly deps: NoticeDependencies) {}

  jobs(): PeriodicJob[] {
    return [
      { name: 'mail expiring integrations', everyMs: EVERY_MS, run: () => this.mailExpiring() },
      { name: 'mail broken integrations', everyMs: EVERY_MS, run: () => this.mailBroken() },
    ];
  }

  /** Those whose time has come, seven days before their end. */
  async mailExpiring(): Promise<void> {
    const { db, clock } = this.deps;
    const due = `SELECT i.id FROM integrations i WHERE ${ENDS_SOON} ORDER BY i.notice_at LIMIT $2`;
    await eachDue(
      BATCH,
      (limit) => db.query<{ id: string }>(due, [clock.now(), limit]),
      ({ id }) => db.transaction((tx) => this.mailExpiringOne(tx, id)),
    );
  }

  /** Those that broke by themselves. */
  async mailBroken(): Promise<void> {
    const { db } = this.deps;
    const due = `SELECT id FROM integrations WHERE unmailed_break IS NOT NULL LIMIT $1`;
    await eachDue(
      BATCH,
      (limit) => db.query<{ id: string }>(due, [limit]),
      ({ id }) => db.transaction((tx) => this.mailBrokenOne(tx, id)),
    );
  }

  private async mailExpiringOne(tx: Transaction, uuid: string): Promise<void> {
    const { clock, mail } = this.deps;
    const now = clock.now();
    const [integration] = await tx.select(
      Integration,
      `SELECT ${COLUMNS} FROM integrations i WHERE i.id = $2 AND ${ENDS_SOON} FOR UPDATE SKIP LOCKED`,
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
      `SELECT ${COLUMNS} FROM integrations i WHERE i.id = $1 AND i.unmailed_break IS NOT NULL FOR UPDATE SKIP LOCKED`,
      [uuid],
    );
    if (integration === undefined) return;
    const [change] = await tx.query<{ reason: BreakReason; version: number }>(
      `UPDATE integrations i SET unmailed_break = NULL FROM integration_changes c
       WHERE i.id = $1 AND c.integration_id = i.id AND c.version = i.unmailed_break RETURNING c.reason, c.version`,
      [uuid],
    );
    if (integration.deletedAt !== null) return;
    const { accountId } = integration;
    const key = `${brokenKey(uuid)} ${change!.version}`;
    await this.deps.mail.add(tx, {
      accountId,
      key,
      ...brokenMail(await this.describe(tx, integration), change!.reason),
    });
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

/** How the keys of its mails begin: what comes then makes each exist once. */
function expiringKey(integration: string): string {
  return `integration-expiring ${integration}`;
}

function brokenKey(integration: string): string {
  return `integration-broken ${integration}`;
}
