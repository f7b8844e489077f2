import { lockAccount } from '../accounts/lock-account.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { actorId } from '../../platform/graphql/actor.js';
import { type RequestContext } from '../../platform/context.js';
import { changeTimeSql } from '../../platform/changes/change-time.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { findOwned, inField, queryOwned } from '../../platform/db/owned-rows.js';
import { type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { demandVersion } from '../../platform/entity-tag.js';
import { AppError, validationError } from '../../platform/errors.js';
import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../platform/http/outbound/outbound-error.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { withdrawMails } from '../../platform/mail/mail-queue.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { disabledError, endPending } from './end-pending.js';
import { type CreatedWebhook, Webhook } from './webhook.entity.js';
import { type CreateWebhookInput, type UpdateWebhookInput } from './webhook.inputs.js';
import { webhookAudit } from './webhook-audit.js';
import { failingKey } from './webhook-failing.email.js';
import { validateEvents } from './webhook-event-type.js';
import { MAX_FORMER_SECRETS, newWebhookSecret, OVERLAP_MS, webhookContext } from './webhook-secret.js';

/** The maximum number of webhooks of an account. */
export const MAX_WEBHOOKS = 50;

const COLUMNS = columnsOf(Webhook, 'w');

/** A webhook that was just changed, with its fields before. */
class ChangedWebhook extends Webhook {
  former: Pick<Webhook, 'url' | 'events' | 'status' | 'disabledById' | 'failingSince'>;
}

/**
 * Changes the fields that are not null. Parameters: uuid, account, url, its host, events, status, now, who would have
 * disabled it.
 */
const UPDATE = `
  WITH old AS (
    SELECT id, url, events, status, disabled_by, failing_since FROM webhooks WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE)
  UPDATE webhooks w SET url = coalesce($3, w.url), host = coalesce($4, w.host),
    events = coalesce($5, w.events), status = coalesce($6, w.status),
    status_reason = CASE WHEN $6::text IS NULL THEN w.status_reason END,
    disabled_by = CASE WHEN $6::text IS NULL THEN w.disabled_by WHEN $6 = 'disabled' THEN $8 END,
    failing_since = CASE WHEN $3::text IS NULL AND $6 IS DISTINCT FROM 'enabled' THEN w.failing_since END,
    updated_at = ${changeTimeSql('$7', 'w.updated_at')}
  FROM old WHERE w.id = old.id
  RETURNING ${COLUMNS}, json_build_object('url', old.url, 'events', old.events, 'status', old.status,
    'disabledById', old.disabled_by, 'failingSince', old.failing_since) AS former`;

/** Parameters: the webhook, its new secret, and the id and the end of the former one; the time now. */
const ROTATE = `
  WITH old AS (
    SELECT * FROM webhooks WHERE id = $1
      AND (SELECT count(*) FROM former_webhook_secrets WHERE webhook_id = $1 AND until > $5) < ${MAX_FORMER_SECRETS}),
  former AS (
    INSERT INTO former_webhook_secrets (id, account_id, webhook_id, secret, until)
    SELECT $3, account_id, id, secret, $4 FROM old)
  UPDATE webhooks w SET secret = $2 FROM old WHERE w.id = old.id RETURNING ${COLUMNS}`;

const TOO_MANY_FORMER = `${MAX_FORMER_SECRETS} former secrets still sign, the most that may. Rotate again once the oldest has ended: each signs for 24 hours.`;

/** The registrations of webhooks. */
export class WebhookService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly outbound: Pick<Outbound, 'checkAddress'>,
  ) {}

  /** Newest first. */
  list({ accountId }: RequestContext, span: Span): Promise<Page<Webhook>> {
    return selectPage(this.db, { entity: Webhook, prefix: 'wh', from: 'webhooks w', accountId }, span);
  }

  /** @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  get({ accountId }: RequestContext, id: string): Promise<Webhook> {
    return findOwned(this.db, { table: 'webhooks', accountId, id }, Webhook);
  }

  /**
   * Registers an enabled webhook. @throws AppError `validation_error` (the URL's host is unknown or forbidden, or the
   * account has 50 webhooks), `not_found` or `unauthorized` for the workflow.
   */
  async create({ accountId }: RequestContext, input: CreateWebhookInput): Promise<CreatedWebhook> {
    validateEvents(input.events, input.workflowId != null);
    const host = await this.validateUrl(input.url);
    const secret = newWebhookSecret();
    const webhook = await this.db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const workflow =
        input.workflowId == null
          ? null
          : await lockWorkflow(tx, accountId, input.workflowId).catch(inField('workflowId'));
      const uuid = newUuid(this.clock.now());
      const [made] = await tx.select(
        Webhook,
        `INSERT INTO webhooks AS w (id, account_id, workflow_id, url, host, events, secret, status, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, 'enabled', $8, $8
         WHERE (SELECT count(*) FROM webhooks WHERE account_id = $2) < ${MAX_WEBHOOKS} RETURNING ${COLUMNS}`,
        [uuid, accountId, workflow, input.url, host, input.events, this.seal(accountId, uuid, secret), timeOf(uuid)],
      );
      if (made === undefined) throw tooMany();
      await recordAudit(tx, made.createdAt, webhookAudit('webhook.created', null, made));
      return made;
    });
    return { webhook: Object.assign(webhook, { secret }), secret };
  }

  /** Changes the given fields. Disabling ends pending deliveries. A new URL and enabling reset `failing_since`.
   * @throws AppError `precondition_failed` if it is no longer of the expected version. */
  async update(
    context: RequestContext,
    id: string,
    input: UpdateWebhookInput,
    expectedVersion?: string | null,
  ): Promise<Webhook> {
    const { url, events, status } = input;
    if (events !== undefined) validateEvents(events, false);
    const host = url === undefined ? undefined : await this.validateUrl(url);
    const { accountId } = context;
    if (url === undefined && events === undefined && status === undefined) {
      const webhook = await this.get(context, id);
      demandVersion(expectedVersion, webhook);
      return webhook;
    }
    return this.db.transaction(async (tx) => {
      if (expectedVersion != null) {
        const row = { table: 'webhooks', accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
        demandVersion(expectedVersion, await findOwned(tx, row, Webhook));
      }
      const webhook = await queryOwned(tx, { table: 'webhooks', accountId, id }, (uuid) =>
        tx.select(ChangedWebhook, UPDATE, [
          ...[uuid, accountId, url ?? null, host ?? null, events ?? null, status ?? null],
          ...[this.clock.now(), actorId(context.caller)],
        ]),
      );
      if (events !== undefined) validateEvents(events, webhook.workflowUuid !== null);
      if (status === 'enabled') await withdrawMails(tx, accountId, [failingKey(webhook.uuid)]);
      if (status === 'disabled') await endPending(tx, webhook.uuid, this.clock.now(), disabledError(webhook.uuid));
      await recordAudit(tx, this.clock.now(), webhookAudit('webhook.updated', formerOf(webhook), webhook));
      return webhook;
    });
  }

  /** Deletes a webhook. Nothing more is sent to it. @returns the id. @throws AppError as `update` does. */
  async delete({ accountId }: RequestContext, id: string, expectedVersion?: string | null): Promise<string> {
    return this.db.transaction(async (tx) => {
      const webhook = await queryOwned(tx, { table: 'webhooks', accountId, id }, (uuid) =>
        tx.select(Webhook, `DELETE FROM webhooks w WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`, [
          uuid,
          accountId,
        ]),
      );
      demandVersion(expectedVersion, webhook);
      await withdrawMails(tx, accountId, [failingKey(webhook.uuid)]);
      await recordAudit(tx, this.clock.now(), webhookAudit('webhook.deleted', webhook, null));
      return id;
    });
  }

  /**
   * Makes a new secret, which signs from now on. Each former one also signs until its own 24 hours are over.
   * @throws AppError `conflict` while four former ones sign: ending one early would break the receivers that use it.
   */
  async rotateSecret({ accountId }: RequestContext, id: string): Promise<CreatedWebhook> {
    const secret = newWebhookSecret();
    const webhook = await this.db.transaction(async (tx) => {
      const now = this.clock.now();
      const row = { table: 'webhooks', accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
      const { uuid } = await findOwned<{ uuid: string }>(tx, row, 'id AS uuid');
      const until = new Date(now.getTime() + OVERLAP_MS);
      const [rotated] = await tx.select(Webhook, ROTATE, [
        uuid,
        this.seal(accountId, uuid, secret),
        newUuid(now),
        until,
        now,
      ]);
      if (rotated === undefined) throw new AppError('conflict', TOO_MANY_FORMER);
      await recordAudit(tx, now, webhookAudit('webhook.secret_rotated', rotated, rotated));
      return rotated;
    });
    return { webhook: Object.assign(webhook, { secret }), secret };
  }

  private seal(accountId: string, uuid: string, secret: string): string {
    return this.secrets.seal(secret, webhookContext(accountId, uuid));
  }

  /** @returns the host and port of a URL that may be called. @throws AppError `validation_error` for others. */
  private async validateUrl(url: string): Promise<string> {
    try {
      await this.outbound.checkAddress(url);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw validationError({ field: 'url', message: error.message });
    }
    return new URL(url).host;
  }
}

function formerOf({ former, ...webhook }: ChangedWebhook): Webhook {
  return Object.assign(new Webhook(), webhook, former);
}

/** Locks a workflow against deletion. @returns its uuid. */
async function lockWorkflow(tx: Transaction, accountId: string, id: string): Promise<string> {
  const row = { table: 'workflows', accountId, id, lock: 'FOR KEY SHARE' } as const;
  return (await findOwned<{ uuid: string }>(tx, row, 'id AS uuid')).uuid;
}

function tooMany() {
  const message = `can't be registered: the account has ${MAX_WEBHOOKS} webhooks, the most that it may have`;
  return validationError({ field: 'url', message });
}
