import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { PageMeta } from '../../platform/db/pagination.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { type WebhookEventType } from './webhook-event-type.js';
import { type DisabledReason, WebhookStatus } from './webhook-status.js';

@Entity('webhooks')
@ObjectType({ description: 'An address that is told of events, as Standard Webhooks says.', simpleResolvers: true })
export class Webhook {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id', nullable: true })
  workflowUuid: string | null;

  @Column('text')
  @Field(() => String, { description: 'Where events are posted to.' })
  url: string;

  /** Of the address, with its port: targets are served fairly by it. */
  @Column('text')
  host: string;

  @Column('text', { array: true })
  @Field(() => [String], { description: 'The types of the events that it is told of.' })
  events: WebhookEventType[];

  @Column('text', { name: 'secret' })
  sealedSecret: string;

  @Column('text', { name: 'previous_secret', nullable: true })
  sealedPreviousSecret: string | null;

  /** Until then the previous secret signs too. */
  @Column('timestamp with time zone', { name: 'previous_until', precision: 3, nullable: true })
  previousUntil: Date | null;

  @Column('text')
  @Field(() => WebhookStatus, { description: 'Whether events are sent to it.' })
  status: WebhookStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Why the service disabled it: `gone` (it answered 410) or `failing` (for five days); else null.',
  })
  statusReason: DisabledReason | null;

  /** The first failure since the last success. */
  @Column('timestamp with time zone', { name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the webhook was created.' })
  createdAt: Date;

  /** Set by the service where it was just made. */
  @Field(() => String, {
    nullable: true,
    description: 'Begins with `whsec_`. Only in the answers of creating it and of rotating the secret, else null.',
  })
  secret?: string | null;

  @Field(() => ID, { description: 'Begins with `wh_`.' })
  get id(): string {
    return toPublicId('wh', this.uuid);
  }

  @Field(() => ID, { nullable: true, description: 'The only workflow that it hears of; null for all.' })
  get workflowId(): string | null {
    return this.workflowUuid === null ? null : toPublicId('wf', this.workflowUuid);
  }
}

@ObjectType({ description: 'One page of webhooks.', simpleResolvers: true })
export class WebhookPage {
  @Field(() => [Webhook], { description: 'The webhooks of this page.' })
  items: Webhook[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}

@ObjectType({ description: 'A webhook with the secret that was just made.', simpleResolvers: true })
export class CreatedWebhook {
  @Field(() => Webhook, { description: 'The webhook, with its secret.' })
  webhook: Webhook;

  @Field(() => String, { description: 'What signatures are verified with: shown here, once, and nowhere else.' })
  secret: string;
}
