import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { toPublicId } from '../../../platform/ids/ids.js';

/** An event in the log of its account. The row is written once the event is committed, and never updated. */
@Entity('events')
@ObjectType('Event', { description: 'One event of the log, which webhooks receive too.' })
export class LoggedEvent {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** The number of the event in the account: without gaps, in the order of commits. */
  @Column('bigint')
  position: number;

  @Column('text')
  @Field(() => String, { simple: true, description: 'What has happened, e.g. `run.failed`.' })
  type: string;

  @Column('timestamp with time zone', { name: 'at', precision: 3 })
  @Field(() => DateTime, { simple: true, description: 'When it happened.' })
  timestamp: Date;

  @Field(() => ID, {
    simple: true,
    description: 'Begins with `evt_`. The `webhook-id` of its deliveries; continue behind it with `after`.',
  })
  get id(): string {
    return toPublicId('evt', this.uuid);
  }
}
