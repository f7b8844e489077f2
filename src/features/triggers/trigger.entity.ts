import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { Costs, OF_CRON } from '../../platform/graphql/field-cost.js';
import { DateTime, JsonObject } from '../../platform/graphql/scalars.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { entityTag } from '../../platform/entity-tag.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { cronWords } from './schedules/cron-words.js';
import { nextTickOf, scheduleOf } from './schedules/schedule-ticks.js';
import { once } from '../../platform/caches/once.js';
import { type TriggerConfig } from './trigger-config.js';
import { CONFIG_BY_TYPE } from './trigger-configs.js';
import { TriggerStatus, TriggerType } from '../workflows/trigger-type.js';

@Entity('triggers')
@ObjectType({ implements: Node, description: 'What makes a workflow run.', simpleResolvers: true })
export class Trigger implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id' })
  workflowUuid: string;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'A name for people. Null if it has none.' })
  name: string | null;

  @Column('text')
  @Field(() => TriggerType, { description: 'What fires the trigger.' })
  type: TriggerType;

  /** Its `secret` is sealed in the column; the service opens it after reading. */
  @Column('json')
  @Field(() => JsonObject, {
    description: `The config as it was sent, unknown keys too. By type:\n\n${CONFIG_BY_TYPE}`,
  })
  config: TriggerConfig;

  @Column('text')
  @Field(() => TriggerStatus, { description: 'Whether the trigger fires.' })
  status: TriggerStatus;

  /** SHA-256 of the token in the inbound URL. */
  @Column('bytea', { name: 'hook_digest', nullable: true })
  hookDigest: Buffer | null;

  /** The same token, sealed, so that the URL can be shown again. */
  @Column('text', { name: 'hook_token', nullable: true })
  hookToken: string | null;

  /** The event that an `app_event` trigger waits for. */
  @Column('text', { nullable: true })
  event: string | null;

  /** The only integration that an `app_event` trigger listens to; null for any. */
  @Column('uuid', { name: 'integration_id', nullable: true })
  integrationUuid: string | null;

  /** The time from which its next tick is computed; null unless this is an active schedule of an active workflow. */
  @Column('timestamp with time zone', { name: 'next_fire_at', precision: 3, nullable: true })
  ticksFrom: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the trigger was created.' })
  createdAt: Date;

  /** The time of the last change by a client or the service, later with each. A tick is none. */
  @Column('timestamp with time zone', { name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** When the row was read; set by the service. */
  readAt: Date;

  /** Set by the service, which knows the public base URL. */
  @Field(() => String, { nullable: true, description: 'The inbound URL that fires it. Only for type `WEBHOOK`.' })
  webhookUrl: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why an existing secret in `config` or an existing `webhookUrl` is null: it cannot be decrypted.',
  })
  unreadable: string | null;

  @Costs(OF_CRON)
  @Field(() => String, {
    description:
      'The version of the trigger: a new text with each change, also if a field is set to the value that it has. For `expectedVersion`, and the `ETag` of REST.',
  })
  get etag(): string {
    const { nextFireAt, unreadable, updatedAt } = this;
    return once(this, 'etag', [nextFireAt, unreadable, updatedAt], () =>
      entityTag(this, [nextFireAt?.getTime() ?? 0, unreadable === null ? 0 : 1]),
    );
  }

  @Field(() => ID, { description: 'Begins with `trg_`.' })
  get id(): string {
    return toPublicId('trg', this.uuid);
  }

  @Field(() => ID, { description: 'The id of the workflow that it fires.' })
  get workflowId(): string {
    return toPublicId('wf', this.workflowUuid);
  }

  @Costs(OF_CRON)
  @Field(() => DateTime, {
    nullable: true,
    description: 'The next tick of a schedule; null while the trigger or its workflow is not active.',
  })
  get nextFireAt(): Date | null {
    const { config, ticksFrom, readAt } = this;
    if (ticksFrom === null) return null;
    return once(this, 'nextFireAt', [config, ticksFrom, readAt], () =>
      nextTickOf(scheduleOf(config), ticksFrom, readAt),
    );
  }

  @Costs(OF_CRON)
  @Field(() => String, {
    nullable: true,
    description: 'The schedule in English words, which don’t name its time zone. Null for other types.',
  })
  get scheduleInWords(): string | null {
    return this.type === 'schedule' ? cronWords({ expression: scheduleOf(this.config).cron }) : null;
  }
}

@ObjectType({ description: 'One page of triggers.', simpleResolvers: true })
export class TriggerPage {
  @Field(() => [Trigger], { description: 'The triggers of this page.' })
  items: Trigger[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
