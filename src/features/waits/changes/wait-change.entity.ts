import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { WaitKind, WaitStatus } from '../wait-status.js';

/** One change of a wait. The row is written in the transaction of the change, and never updated. */
@Entity('wait_changes')
@ObjectType({ description: "One change of a wait's status." })
export class WaitChange {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'wait_id' })
  waitUuid: string;

  @Column('uuid', { name: 'run_id' })
  runUuid: string;

  @Column('text')
  kind: WaitKind;

  /** The number of the change in the account: without gaps, in the order of commits. */
  @Column('bigint')
  position: number;

  @Column('text', { name: 'previous_status', nullable: true })
  @Field(() => WaitStatus, {
    nullable: true,
    simple: true,
    description: 'The status before; null for the first change.',
  })
  previousStatus: WaitStatus | null;

  @Column('text')
  @Field(() => WaitStatus, { simple: true, description: 'The status after the change.' })
  status: WaitStatus;

  @Column('timestamp with time zone', { precision: 3 })
  @Field(() => DateTime, { simple: true, description: 'When it happened.' })
  at: Date;

  @Field(() => ID, { simple: true, description: 'Begins with `wch_`: resume with it as `after`.' })
  get id(): string {
    return toPublicId('wch', this.uuid);
  }
}
