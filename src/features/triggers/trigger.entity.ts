import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { entityTag } from '../../platform/entity-tag.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { cronWords } from './schedules/cron-words.js';
import { nextTickOf, type Schedule, scheduleOf } from './schedules/schedule-ticks.js';
import { once } from '../../platform/caches/once.js';
import { type TriggerConfig } from './trigger-config.js';
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

  /** Its `secret` is sealed. For the comparison with the table; everything else uses `configText`. */
  @Column('json', { name: 'config' })
  configJson: unknown;

  /** The JSON of the config, with its secret once `reveal` has opened it; undefined if the row was read without it. */
  configText?: string;

  /** The parsed config. Each access parses the text, because a parsed config may take twenty times its memory. */
  get config(): TriggerConfig {
    return JSON.parse(this.configText!) as TriggerConfig;
  }

  /** What the config of a schedule says, set with `configText`. */
  schedule?: Schedule;

  /** Keeps what a schedule needs of its parsed config. */
  takeSchedule(config: TriggerConfig): void {
    if (this.type === 'schedule') this.schedule = scheduleOf(config);
  }

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

  /** Set with `configText`. */
  unreadable: string | null;

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

  get nextFireAt(): Date | null {
    const { schedule, ticksFrom, readAt } = this;
    if (ticksFrom === null) return null;
    return once(this, 'nextFireAt', [schedule, ticksFrom, readAt], () => nextTickOf(schedule!, ticksFrom, readAt));
  }

  get scheduleInWords(): string | null {
    return this.type === 'schedule' ? cronWords({ expression: this.schedule!.cron }) : null;
  }
}

@ObjectType({ description: 'One page of triggers.', simpleResolvers: true })
export class TriggerPage {
  @Field(() => [Trigger], { description: 'The triggers of this page.' })
  items: Trigger[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
