import { type Queryable } from '../../platform/db/database.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { DataAround, isWanted, recordEvents, type WebhookEvent } from '../webhooks/record-events.js';
import { type Trigger } from './trigger.entity.js';

/** Triggers that one statement reads: a config may have 100 kB. */
const PAGE = 100;

/** A change of triggers to record. */
interface TriggerChange {
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted';
  at: Date;
  /** How many runs in a row led to it. */
  hops: number;
}

/** A change of a trigger that was read. */
export interface TriggerEvent extends TriggerChange {
  trigger: Trigger;
}

/** A change of any number of triggers. */
export interface TriggerEvents extends TriggerChange {
  uuids: readonly string[];
  /** The triggers are deleted with their workflow, and so are the webhooks for that workflow alone. */
  goWithWorkflow?: boolean;
}

type Row = Pick<Trigger, 'uuid' | 'accountId' | 'workflowUuid' | 'type' | 'status' | 'createdAt'> & {
  /** As JSON, without the secret. */
  config: string;
};

/**
 * Records a webhook event of one trigger in the caller's transaction. Triggers are in REST's shape, without
 * `config.secret` and `webhook_url`: a reader of these could fire them.
 */
export async function recordTriggerEvent(tx: Queryable, { type, at, hops, trigger }: TriggerEvent): Promise<void> {
  const { accountId, workflowUuid, config } = trigger;
  const { secret: _, ...shown } = config;
  await recordEvents(tx, at, [{ type, accountId, workflowUuid, data: around(trigger, JSON.stringify(shown)), hops }]);
}

/**
 * Records the same for triggers that were only changed, not read: an account may have ten thousand. Reads those that a
 * webhook wants, page by page, and parses no config, because a parsed one takes up to twenty times the memory.
 */
export async function recordTriggerEvents(
  tx: Queryable,
  { type, at, hops, uuids, goWithWorkflow = false }: TriggerEvents,
): Promise<void> {
  const workflow = goWithWorkflow ? 'NULL' : 't.workflow_id';
  for (let from = 0; from < uuids.length; from += PAGE) {
    const rows = await tx.query<Row>(
      `SELECT t.id AS uuid, t.account_id AS "accountId", t.workflow_id AS "workflowUuid", t.type, t.status,
         t.created_at AS "createdAt",
         CASE WHEN t.config->'secret' IS NULL THEN t.config::text ELSE
           (SELECT coalesce(json_object_agg(key, value), '{}')::text FROM json_each(t.config) WHERE key <> 'secret')
         END AS config
       FROM triggers t WHERE t.id = ANY($1) AND ${isWanted('t.account_id', '$2::text', workflow)} ORDER BY t.id`,
      [uuids.slice(from, from + PAGE), type],
    );
    const events = rows.map((row): WebhookEvent => {
      const { accountId, workflowUuid, config } = row;
      return { type, accountId, workflowUuid: goWithWorkflow ? null : workflowUuid, data: around(row, config), hops };
    });
    await recordEvents(tx, at, events);
  }
}

function around({ uuid, workflowUuid, type, status, createdAt }: Omit<Row, 'config'>, config: string): DataAround {
  return new DataAround(
    { id: toPublicId('trg', uuid), workflow_id: toPublicId('wf', workflowUuid), type },
    'config',
    { text: config },
    { status, created_at: createdAt },
  );
}
