import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Node } from '../../../platform/graphql/nodes.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type RetryFrom } from '../control/retry-from.js';
import { BulkKind, BulkStatus } from './bulk-status.js';

/** A retry or cancelation of many runs. The row outlives its items. */
@Entity('bulk_operations')
@ObjectType({
  implements: Node,
  description: 'A retry or cancelation of many runs, executed in the background. Kept for 30 days.',
  simpleResolvers: true,
})
export class BulkOperation implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => BulkKind, { description: 'What it does with each run.' })
  kind: BulkKind;

  /** Where its retried runs begin; null unless it retries. */
  @Column('text', { name: 'retry_from', nullable: true })
  retryFrom: RetryFrom | null;

  @Column('text')
  @Field(() => BulkStatus, { description: 'How far it has come.' })
  status: BulkStatus;

  @Column('integer')
  @Field(() => Int, { description: 'The number of runs that matched at the request. Later runs are not added.' })
  matched: number;

  @Column('integer', { default: 0 })
  @Field(() => Int, {
    description:
      'The number of runs that were retried or canceled so far. A running one of these ends after its current step.',
  })
  done: number;

  @Column('integer', { default: 0 })
  @Field(() => Int, {
    description:
      'The number of runs so far that could not be retried or canceled: they ended before, their workflow is not active, or they were deleted.',
  })
  failed: number;

  /** The caller that requested it, as `actorId` names it. */
  @Column('text', { nullable: true })
  actor: string | null;

  /** How many runs in a row led to the request. */
  @Column('integer')
  hops: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When it was requested.' })
  createdAt: Date;

  @Field(() => ID, { description: 'Begins with `bulk_`.' })
  get id(): string {
    return toPublicId('bulk', this.uuid);
  }
}
