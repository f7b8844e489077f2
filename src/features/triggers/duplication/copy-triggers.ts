import { type QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { recordAudit } from '../../audit-log/record-audit.js';
import { type Transaction } from '../../../platform/db/database.js';
import { randomToken, type Secrets, sha256 } from '../../../platform/encryption/secrets.js';
import { UnreadableError } from '../../../platform/encryption/unreadable.js';
import { newUuid, timeOf } from '../../../platform/ids/ids.js';
import { recordTriggerEvent } from '../changes/trigger-webhook.js';
import { COLUMNS } from '../configs/trigger-columns.js';
import { triggerKinds } from '../kinds/index.js';
import { triggerAudit } from '../changes/trigger-audit.js';
import { openConfig, sealConfig, triggerContext } from '../trigger-config.js';
import { Trigger } from '../trigger.entity.js';
import { LAST_OF_ACCOUNT, tooManyTriggers } from '../trigger-limits.js';

/** The workflow with the triggers, and the draft that receives their copies; the caller holds the lock of triggers. */
export interface Copying {
  accountId: string;
  from: string;
  to: string;
  now: Date;
  hops: number;
}

/**
 * Copies all triggers of a workflow with their settings, secrets and status. A copied webhook has a URL of its own, and
 * no copied schedule ticks, because a draft has no ticks. @returns the bytes of the configs. @throws AppError `validation_error` at the limit of the account,
 * UnreadableError for a secret that no key opens.
 */
export async function copyTriggers(tx: Transaction, secrets: Secrets, copying: Copying): Promise<number> {
  const { accountId, from, hops } = copying;
  const originals = await tx.select(
    Trigger,
    `SELECT ${COLUMNS} FROM triggers t WHERE t.workflow_id = $1 AND t.account_id = $2 ORDER BY t.id`,
    [from, accountId],
  );
  let bytes = 0;
  for (const original of originals) {
    if ((await tx.query(LAST_OF_ACCOUNT, [accountId])).length > 0) throw await tooManyTriggers(tx, accountId);
    const { trigger, sealed } = copyOf(original, secrets, copying);
    // The entity's columns, so that a later one is copied too.
    const columns = Object.assign(new Trigger(), trigger, { configJson: JSON.parse(sealed) as unknown });
    await tx.manager.insert(Trigger, columns as QueryDeepPartialEntity<Trigger>);
    bytes += sealed.length;
    await recordTriggerEvent(tx, { type: 'trigger.created', at: trigger.createdAt, hops, trigger });
    // One by one: the entries of all may have what is parsed of all their configs.
    await recordAudit(tx, copying.now, triggerAudit('trigger.created', null, trigger));
  }
  return bytes;
}

/** A copy with the secret opened, and the text of its config with the secret sealed. */
function copyOf(
  original: Trigger,
  secrets: Secrets,
  { accountId, to, now }: Copying,
): { trigger: Trigger; sealed: string } {
  const uuid = newUuid(now);
  const context = triggerContext(accountId, uuid);
  const { config, isWhole } = openConfig(secrets, original.config, triggerContext(accountId, original.uuid));
  if (!isWhole) throw new UnreadableError('The secret of a trigger that is to be copied cannot be opened.');
  const token = triggerKinds[original.type].hasHook ? randomToken() : null;
  const trigger = Object.assign(new Trigger(), original, {
    uuid,
    workflowUuid: to,
    configText: JSON.stringify(config),
    hookDigest: token === null ? null : sha256(token),
    hookToken: token === null ? null : secrets.seal(token, context),
    ticksFrom: null,
    createdAt: timeOf(uuid),
    updatedAt: timeOf(uuid),
  });
  return { trigger, sealed: sealConfig(secrets, config, context) };
}
