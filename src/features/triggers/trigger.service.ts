import { recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { changeTime, changeTimeSql } from '../../platform/changes/change-time.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { linkStatement, type LinkKey, loadLinkedPages } from '../../platform/db/pages/linked-pages.js';
import { findOwned, inField, queryOwned } from '../../platform/db/owned-rows.js';
import { emptyPage, type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { demandVersion, preconditionFailed } from '../../platform/entity-tag.js';
import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { UnreadableError } from '../../platform/encryption/unreadable.js';
import { newUuid, timeOf } from '../../platform/ids/ids.js';
import { randomToken, type Secrets, sha256 } from '../../platform/encryption/secrets.js';
import { configAfter, faultsOfKeys, isOther } from './changed-config.js';
import { BARE_COLUMNS, COLUMNS, ONE_TRIGGER } from './configs/trigger-columns.js';
import { type TriggerConfigs } from './configs/trigger-configs.service.js';
import { unstorablePath } from '../../platform/validation.js';
import { ConfigFaults, type EventCatalog, type TriggerColumns, type TriggerKind } from './define-trigger-kind.js';
import { triggerKinds } from './kinds/index.js';
import { Trigger } from './trigger.entity.js';
import { triggerAudit } from './changes/trigger-audit.js';
import { triggerFilter } from './trigger-filter.js';
import { type CreateTriggerInput, type TriggerFilter, type UpdateTriggerInput } from './trigger.inputs.js';
import { LAST_OF_ACCOUNT, LOCK_TRIGGERS, MAX_TRIGGERS, tooManyTriggers } from './trigger-limits.js';
import { sealConfig, triggerContext, type TriggerConfig } from './trigger-config.js';
import { readWithLockedWorkflow } from './locked-trigger.js';
import { recordTriggerEvent } from './changes/trigger-webhook.js';
import { recordWaitingOf } from './changes/waiting-changes.js';
import { type TriggerStatus, type TriggerType } from '../workflows/trigger-type.js';

/** What the service needs besides the platform. */
export interface TriggerParts {
  configs: TriggerConfigs;
  events: EventCatalog;
}

/** What a list of triggers needs besides the triggers themselves. */
interface AskedOfTriggers {
  withTotal?: boolean;
  /** Whether the configs, and what comes from them, are needed. */
  withConfigs?: boolean;
}

interface NewTrigger {
  accountId: string;
  workflow: string;
  type: TriggerType;
  name: string | null;
  config: TriggerConfig;
  columns: TriggerColumns;
  hops: number;
}

/** The uuid of a workflow, and a lock on the triggers of its account. */
const WITH_LOCKED_TRIGGERS = `id AS workflow, ${LOCK_TRIGGERS}`;

const OF_WORKFLOW = linkStatement({
  columns: BARE_COLUMNS,
  from: 'triggers t',
  where: 't.workflow_id = p.parent AND t.account_id = $1',
  id: 't.id',
});

const OF_INTEGRATION = linkStatement({
  columns: BARE_COLUMNS,
  from: 'triggers t',
  where: 't.integration_id = p.parent AND t.account_id = $1',
  id: 't.id',
});

/** Reads and changes triggers; a change locks the workflow, then the integration, then the trigger. */
export class TriggerService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly parts: TriggerParts,
  ) {}

  /** Newest first. A filter by another account's workflow matches nothing. */
  async list(
    { accountId }: RequestContext,
    wanted: TriggerFilter,
    span: Span,
    { withTotal = true, withConfigs = true }: AskedOfTriggers = {},
  ): Promise<Page<Trigger>> {
    const filter = triggerFilter(wanted);
    if (filter === undefined) return emptyPage(span, 'trg');
    const [columns, from] = [BARE_COLUMNS, 'triggers t'] as const;
    const list = { entity: Trigger, prefix: 'trg', columns, from, accountId, ...filter } as const;
    const on = wanted.search ? this.db.expensive : this.db;
    const page = await selectPage(on, list, span, withTotal ? this.db.expensive : null);
    return (await this.shown(accountId, [page], withConfigs))[0]!;
  }

  /** A page of triggers for each of many workflows, with one statement. `withConfigs`: the configs of all follow. */
  async ofWorkflows({ accountId }: RequestContext, keys: readonly LinkKey[], withConfigs: boolean) {
    const pages = await loadLinkedPages(this.db, Trigger, OF_WORKFLOW, accountId, keys);
    return this.shown(accountId, pages, withConfigs);
  }

  /** The same for each of many integrations. */
  async ofIntegrations({ accountId }: RequestContext, keys: readonly LinkKey[], withConfigs: boolean) {
    const pages = await loadLinkedPages(this.db, Trigger, OF_INTEGRATION, accountId, keys);
    return this.shown(accountId, pages, withConfigs);
  }

  /** @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  async get({ accountId }: RequestContext, id: string): Promise<Trigger> {
    const trigger = await queryOwned(this.db, { table: 'triggers', accountId, id }, (uuid) =>
      this.db.select(Trigger, ONE_TRIGGER, [uuid, accountId]),
    );
    return this.parts.configs.reveal(trigger);
  }

  /** Attaches an active trigger to a workflow. @throws AppError `validation_error`, `not_found` or `unauthorized`. */
  async create(context: RequestContext, input: CreateTriggerInput): Promise<Trigger> {
    const { accountId, hops } = context;
    const config = input.config ?? {};
    const row = { table: 'workflows', accountId, id: input.workflowId, lock: 'FOR NO KEY UPDATE' } as const;
    return this.db.transaction(async (tx) => {
      // The config is validated first, so that its errors come before those about the workflow.
      const names = faultsOfKeys(input.type, config, context);
      const columns = await this.validate(tx, accountId, input.type, config, names);
      // Locks the workflow against deletion. Both locks serialize the creation of triggers, which counts them.
      const { workflow } = await findOwned<{ workflow: string }>(tx, row, WITH_LOCKED_TRIGGERS).catch(
        inField('workflowId'),
      );
      const { type, name = null } = input;
      return this.insert(tx, { accountId, workflow, type, name, config, columns, hops });
    });
  }

  /** Changes the given fields. @throws AppError as `create`; `precondition_failed` if it has another version. */
  async update(
    context: RequestContext,
    id: string,
    input: UpdateTriggerInput,
    expectedVersion?: string | null,
  ): Promise<Trigger> {
    const { accountId, hops } = context;
    if (Object.values(input).every((value) => value === undefined)) {
      const trigger = await this.get(context, id);
      demandVersion(expectedVersion, trigger);
      return trigger;
    }
    return this.db.transaction(async (tx) => {
      const row = await queryOwned(tx, { table: 'triggers', accountId, id }, (uuid) =>
        readWithLockedWorkflow(tx, uuid, accountId),
      );
      const old = this.parts.configs.reveal(row);
      demandVersion(expectedVersion, old);
      const config = configAfter(old, input);
      if (input.config == null && input.status === 'active' && old.unreadable !== null) {
        throw new UnreadableError('The secret of a trigger that is to be active again cannot be opened.');
      }
      const wanted = input.status ?? old.status;
      // Of the sent keys, not of a kept secret: beside it, a misspelled new one would pass unnoticed.
      const names = () => faultsOfKeys(old.type, input.config ?? config, context);
      const isNew = input.config != null && isOther(config, old);
      const columns = await this.columnsAfter(tx, old, config, wanted, isNew ? names : undefined);
      // A config that was just validated can fire, even if the trigger had lost its integration before.
      const status = columns !== old && wanted === 'error' ? 'active' : wanted;
      const [trigger] = await tx.select(
        Trigger,
        // An unchanged status is not written: it may have become `error` since it was read.
        `UPDATE triggers t SET config = coalesce($2, t.config), status = coalesce($3, t.status), event = $4, integration_id = $5,
           next_fire_at = CASE WHEN w.status = 'active' THEN $6::timestamptz END,
           name = CASE WHEN $7 THEN $8 ELSE t.name END, updated_at = ${changeTimeSql('$9', 't.updated_at')}
         FROM workflows w WHERE t.id = $1 AND w.id = t.workflow_id AND t.updated_at = coalesce($10, t.updated_at)
         RETURNING ${COLUMNS}`,
        [
          row.uuid,
          // Only a sent config is written: a secret that cannot be opened now may become readable when its key is back.
          input.config && sealConfig(this.secrets, config, triggerContext(accountId, row.uuid)),
          status === old.status ? null : status,
          columns.event,
          columns.integrationUuid,
          status === 'active' ? columns.ticksFrom : null,
          input.name !== undefined,
          input.name ?? null,
          this.clock.now(),
          // The row was read without a lock: its integration may have changed it since.
          expectedVersion == null ? null : row.updatedAt,
        ],
      );
      if (trigger === undefined) {
        await findOwned(tx, { table: 'triggers', accountId, id }, 'id');
        throw preconditionFailed();
      }
      const changed = this.parts.configs.reveal(trigger);
      await recordWaitingOf(tx, old);
      await recordTriggerEvent(tx, { type: 'trigger.updated', at: changed.updatedAt, hops, trigger: changed });
      await recordAudit(tx, this.clock.now(), triggerAudit('trigger.updated', old, changed));
      return changed;
    });
  }

  /** Deletes a trigger. Its runs stay readable, without their `trigger_id`. @returns the id. @throws as `update`. */
  async delete({ accountId, hops }: RequestContext, id: string, expectedVersion?: string | null): Promise<string> {
    await this.db.transaction(async (tx) => {
      const deleted = await queryOwned(tx, { table: 'triggers', accountId, id }, (uuid) =>
        tx.select(Trigger, `DELETE FROM triggers t WHERE t.id = $1 AND t.account_id = $2 RETURNING ${COLUMNS}`, [
          uuid,
          accountId,
        ]),
      );
      const trigger = this.parts.configs.reveal(deleted);
      demandVersion(expectedVersion, trigger);
      await recordWaitingOf(tx, trigger);
      const at = changeTime(this.clock.now(), trigger.updatedAt);
      await recordTriggerEvent(tx, { type: 'trigger.deleted', at, hops, trigger });
      await recordAudit(tx, this.clock.now(), triggerAudit('trigger.deleted', trigger, null));
    });
    return id;
  }

  private async insert(
    tx: Transaction,
    { accountId, workflow, type, name, config, columns, hops }: NewTrigger,
  ): Promise<Trigger> {
    const uuid = newUuid(this.clock.now());
    const context = triggerContext(accountId, uuid);
    const token = triggerKinds[type].hasHook ? randomToken() : null;
    const [trigger] = await tx.select(
      Trigger,
      `WITH t AS (
         INSERT INTO triggers (id, account_id, workflow_id, type, config, status, hook_digest, hook_token, event,
                               integration_id, next_fire_at, created_at, updated_at, name)
         SELECT $2, $1, w.id, $4, $5, 'active', $6, $7, $8, $9,
                CASE WHEN w.status = 'active' THEN $10::timestamptz END, $11, $11, $12
         FROM workflows w WHERE w.id = $3
           AND (SELECT count(*) FROM triggers WHERE workflow_id = $3) < ${MAX_TRIGGERS}
           AND NOT EXISTS (${LAST_OF_ACCOUNT}) RETURNING *)
       SELECT ${COLUMNS} FROM t`,
      [
        accountId,
        uuid,
        workflow,
        type,
        sealConfig(this.secrets, config, context),
        token === null ? null : sha256(token),
        token === null ? null : this.secrets.seal(token, context),
        columns.event,
        columns.integrationUuid,
        columns.ticksFrom,
        timeOf(uuid),
        name,
      ],
    );
    if (trigger === undefined) throw await tooManyTriggers(tx, accountId);
    const made = this.parts.configs.reveal(trigger);
    await recordTriggerEvent(tx, { type: 'trigger.created', at: timeOf(uuid), hops, trigger: made });
    await recordAudit(tx, this.clock.now(), triggerAudit('trigger.created', null, made));
    return made;
  }

  /**
   * An unchanged config keeps its next tick and its names, and pausing needs no validation. Everything else is validated
   * like a new trigger. `names`: the faults of the keys of a changed config.
   */
  private columnsAfter(
    tx: Transaction,
    old: Trigger,
    config: TriggerConfig,
    status: TriggerStatus,
    names: (() => ErrorDetail[]) | undefined,
  ): TriggerColumns | Promise<TriggerColumns> {
    const isResumed = status === 'active' && old.status !== 'active';
    if (names === undefined && !isResumed) return old;
    return this.validate(tx, old.accountId, old.type, config, names?.() ?? []);
  }

  private async validate(
    tx: Transaction,
    accountId: string,
    type: TriggerType,
    config: TriggerConfig,
    names: readonly ErrorDetail[],
  ): Promise<TriggerColumns> {
    const field = unstorablePath(config, 'config');
    if (field !== undefined)
      throw validationError({ field, message: 'must not contain the NUL character or lone surrogates' });
    const faults = new ConfigFaults(names);
    const scope = { tx, accountId, now: this.clock.now(), events: this.parts.events, faults };
    const kind: TriggerKind = triggerKinds[type];
    const columns = await kind.validate(config, scope);
    return { event: null, integrationUuid: null, ticksFrom: null, ...columns };
  }

  /** With their configs if they are needed: a trigger that was deleted in between is left out. */
  private async shown(accountId: string, pages: Page<Trigger>[], withConfigs: boolean): Promise<Page<Trigger>[]> {
    const items = pages.flatMap((page) => page.items);
    if (!withConfigs) items.forEach((trigger) => this.parts.configs.reveal(trigger));
    if (!withConfigs) return pages;
    const found = new Map((await this.parts.configs.read(accountId, items)).map((trigger) => [trigger?.uuid, trigger]));
    return pages.map((page) => ({ ...page, items: page.items.flatMap(({ uuid }) => found.get(uuid) ?? []) }));
  }
}
