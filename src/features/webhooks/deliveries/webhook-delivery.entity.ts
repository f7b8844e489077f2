import { Node } from '../../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageMeta } from '../../../platform/db/pages/pagination.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { DELAYS_MS } from '../sending/retry-schedule.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { type StoredTry, WebhookTry } from './delivery-try.js';
import { DeliveryStatus } from '../webhook-status.js';

@Entity('webhook_deliveries')
@ObjectType({ implements: Node, description: 'The delivery of one event to one webhook.', simpleResolvers: true })
export class WebhookDelivery implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookUuid: string;

  @Column('uuid', { name: 'event_id' })
  eventUuid: string;

  /** The first delivery of the event to this webhook, if this one repeats it. */
  @Column('uuid', { name: 'first_id', nullable: true })
  firstUuid: string | null;

  /** Whether the `webhook-id` is the id of the event. Earlier versions of the service sent that of the first delivery. */
  @Column('boolean', { name: 'names_event', default: false })
  namesEvent: boolean;

  @Column('text')
  @Field(() => String, { description: 'The type of the event; `webhook.test` for a test.' })
  type: string;

  @Column('text')
  @Field(() => DeliveryStatus, { description: 'How far the delivery has come.' })
  status: DeliveryStatus;

  @Column('integer')
  @Field(() => Int, { description: 'The number of attempts.' })
  attempts: number;

  /** Identifies the running attempt. */
  @Column('uuid', { nullable: true })
  claim: string | null;

  @Column('integer', { name: 'response_status', nullable: true })
  @Field(() => Int, { nullable: true, description: 'The HTTP status of the last response; null without a response.' })
  responseStatus: number | null;

  @Column('text', { name: 'response_body', nullable: true })
  @Field(() => String, { nullable: true, description: 'The beginning of the last response, at most 1,024 characters.' })
  responseBody: string | null;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'The error of the last attempt, as a sentence.' })
  error: string | null;

  /** When it may be claimed: at its next attempt or, during one, at the end of the sender's lease. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the event happened, or was sent again.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'completed_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When it succeeded or finally failed.' })
  completedAt: Date | null;

  @Column('jsonb', { name: 'tries' })
  storedTries: (Omit<StoredTry, 'at'> & { at: string })[];

  @Costs({ items: DELAYS_MS.length })
  @Field(() => [WebhookTry], {
    description:
      'The attempts that have ended, in their order. Those of earlier versions of the service are not known.',
  })
  get tries(): WebhookTry[] {
    return this.storedTries.map((one) => ({ ...one, at: new Date(one.at) }));
  }

  @Field(() => ID, {
    description: 'The header `webhook-id`, and the id of the event in the log: equal for all deliveries of one event.',
  })
  get eventId(): string {
    return messageId(this);
  }

  @Field(() => ID, {
    nullable: true,
    description: 'The first delivery of the event, which this one sends again; null for a first delivery.',
  })
  get redelivers(): string | null {
    return this.firstUuid === null ? null : toPublicId('dlv', this.firstUuid);
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'The time of the next attempt; null during an attempt and after the last one.',
  })
  get nextAttemptAt(): Date | null {
    return this.claim === null ? this.dueAt : null;
  }

  @Field(() => ID, {
    description: 'Begins with `dlv_`.',
  })
  get id(): string {
    return toPublicId('dlv', this.uuid);
  }
}

/** The `webhook-id` of a delivery. */
export function messageId(of: Pick<WebhookDelivery, 'uuid' | 'eventUuid' | 'firstUuid' | 'namesEvent'>): string {
  return of.namesEvent ? toPublicId('evt', of.eventUuid) : toPublicId('dlv', of.firstUuid ?? of.uuid);
}

@ObjectType({ description: 'One page of deliveries.', simpleResolvers: true })
export class WebhookDeliveryPage {
  @Field(() => [WebhookDelivery], { description: 'The deliveries of this page.' })
  items: WebhookDelivery[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
