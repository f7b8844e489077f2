import { type Transaction } from '../../../platform/db/database.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { DataAround, isWanted, recordEvents, type WebhookEvent } from '../../webhooks/record-events.js';
import { type TriggerStatus } from '../../workflows/trigger-type.js';
import { type TriggerConfig } from '../trigger-config.js';
import { type Trigger } from '../trigger.entity.js';

/** Triggers that one statement reads: a config may have 100 kB. */
const PAGE = 100;

/** A change of triggers to record. */
interface TriggerChange {
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted';
  at: Date;
  /** How many runs in a row led to it. */
  hops: number;
  /** The webhooks that wanted it when it happened; by default those that want it now. */
  webhooks?: readonly string[];
}

/** The columns of a trigger that an event shows. */
export type ShownTrigger = Pick<Trigger, 'uuid' | 'accountId' | 'workflowUuid' | 'type' | 'status' | 'createdAt'>;

/** A change of a trigger that was read. */
export interface TriggerEvent extends TriggerChange {
  trigger: ShownTrigger & Pick<Trigger, 'configText'>;
}

/** A change of any number of triggers. */
export interface TriggerEvents extends TriggerChange {
  uuids: readonly string[];
  /** The status of all of them after the change; by default the one that each has now. */
  status?: TriggerStatus;
  /** The triggers are deleted with their workflow, and so are the webhooks for that workflow alone. */
  goWithWorkflow?: boolean;
}

type Row = ShownTrigger & {
  /** As JSON, without the secret. */
  config: string;
};

/**
 * Records a webhook event of one trigger in the caller's transaction. Triggers are in REST's shape, without
 * `config.secret` and `webhook_url`: a reader of these could fire them.
 */
export async function recordTriggerEvent(tx: Transaction, event: TriggerEvent): Promise<void> {
  const { type, at, hops, trigger, webhooks } = event;
  const { accountId, workflowUuid, configText } = trigger;
  const { secret: _, ...shown } = JSON.parse(configText!) as TriggerConfig;
  const data = around(trigger, JSON.stringify(shown));
  await recordEvents(tx, at, [{ type, accountId, workflowUuid, data, hops }], webhooks);
}

/**
 * Records the same for triggers that were only changed, not read: an account may have ten thousand. Reads those that a
 * webhook wants, page by page, and parses no config, because a parsed one takes up to twenty times the memory.
 */
export async function recordTriggerEvents(tx: Transaction, change: TriggerEvents): Promise<void> {
  const { type, at, hops, uuids, status = null, webhooks = null, goWithWorkflow = false } = change;
  const workflow = goWithWorkflow ? 'NULL' : 't.workflow_id';
  for (let from = 0; from < uuids.length; from += PAGE) {
    const rows = await tx.query<Row>(
      `SELECT t.id AS uuid, t.account_id AS "accountId", t.workflow_id AS "workflowUuid", t.type,
         coalesce($3, t.status) AS status, t.created_at AS "createdAt",
         CASE WHEN t.config->'secret' IS NULL THEN t.config::text ELSE
           (SELECT coalesce(json_object_agg(key, value), '{}')::text FROM json_each(t.config) WHERE key <> 'secret')
         END AS config
       FROM triggers t WHERE t.id = ANY($1) AND ${isWanted('t.account_id', '$2::text', workflow, '$4::uuid[]')}
       ORDER BY t.id`,
      [uuids.slice(from, from + PAGE), type, status, webhooks],
    );
    const events = rows.map((row): WebhookEvent => {
      const { accountId, workflowUuid, config } = row;
      return { type, accountId, workflowUuid: goWithWorkflow ? null : workflowUuid, data: around(row, config), hops };
    });
    await recordEvents(tx, at, events, webhooks);
  }
}

function around({ uuid, workflowUuid, type, status, createdAt }: ShownTrigger, config: string): DataAround {
  return new DataAround(
    { id: toPublicId('trg', uuid), workflow_id: toPublicId('wf', workflowUuid), type },
    'config',
    { text: config },
    { status, created_at: createdAt },
  );
}
