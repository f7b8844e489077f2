import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageMeta } from '../../platform/db/pagination.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { DeliveryStatus } from './webhook-status.js';

@Entity('webhook_deliveries')
@ObjectType({ description: 'One event on its way to one webhook.', simpleResolvers: true })
export class WebhookDelivery {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookUuid: string;

  @Column('uuid', { name: 'event_id' })
  eventUuid: string;

  /** The delivery that it repeats, whose `webhook-id` it has. */
  @Column('uuid', { name: 'first_id', nullable: true })
  firstUuid: string | null;

  @Column('text')
  @Field(() => String, { description: "The event's type; `webhook.test` for a test." })
  type: string;

  @Column('text')
  @Field(() => DeliveryStatus, { description: 'How far the delivery has come.' })
  status: DeliveryStatus;

  @Column('integer')
  @Field(() => Int, { description: 'How often it was sent.' })
  attempts: number;

  /** The attempt under way. */
  @Column('uuid', { nullable: true })
  claim: string | null;

  @Column('integer', { name: 'response_status', nullable: true })
  @Field(() => Int, { nullable: true, description: 'The HTTP status of the last answer; null where none came.' })
  responseStatus: number | null;

  @Column('text', { name: 'response_body', nullable: true })
  @Field(() => String, { nullable: true, description: 'How the last answer began, at most 1,024 characters.' })
  responseBody: string | null;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'What went wrong the last time, in a sentence.' })
  error: string | null;

  /** When it may be claimed: for its next attempt or, while one is under way, should its sender be lost. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the event happened, or was sent again.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'completed_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When it succeeded or was given up.' })
  completedAt: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it is tried next; null while it is being sent, and once it is over.',
  })
  get nextAttemptAt(): Date | null {
    return this.claim === null ? this.dueAt : null;
  }

  @Field(() => ID, {
    description: 'Begins with `dlv_`. The header `webhook-id` of the first time it was sent, and of all repetitions.',
  })
  get id(): string {
    return toPublicId('dlv', this.uuid);
  }
}

@ObjectType({ description: 'One page of deliveries.', simpleResolvers: true })
export class WebhookDeliveryPage {
  @Field(() => [WebhookDelivery], { description: 'The deliveries of this page.' })
  items: WebhookDelivery[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}
