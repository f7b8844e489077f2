import { Node } from '../../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { PageMeta } from '../../../platform/db/pages/pagination.js';
import { wordList } from '../../../platform/word-list.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { IntegrationStatus, STATUS_REASONS, type StatusReason } from './integration-status.js';

/** One change of an integration. The row is written in the transaction of the change, and never updated. */
@Entity('integration_changes')
@ObjectType({
  implements: Node,
  description: "One change of an integration's status, or the end of a flow that did not change it.",
})
export class IntegrationStatusChange implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'integration_id' })
  integrationId: string;

  /** The number of the change in the account: without gaps, in the order of commits. */
  @Column('bigint')
  position: number;

  @Column('integer')
  @Field(() => Int, {
    simple: true,
    description: 'The number of the change in its integration, from 1, without gaps.',
  })
  version: number;

  @Column('text', { name: 'previous_status', nullable: true })
  @Field(() => IntegrationStatus, {
    nullable: true,
    simple: true,
    description: 'The status before; null for the first change.',
  })
  previousStatus: IntegrationStatus | null;

  @Column('text')
  @Field(() => IntegrationStatus, { simple: true, description: 'The status after the change.' })
  status: IntegrationStatus;

  @Column('text', { nullable: true })
  @Field(() => String, {
    nullable: true,
    simple: true,
    description: `A code for the reason.\n\n${wordList(STATUS_REASONS)}`,
  })
  reason: StatusReason | null;

  @Column('timestamp with time zone', { precision: 3 })
  @Field(() => DateTime, { simple: true, description: 'When it happened.' })
  at: Date;

  /** The caller who caused it; null if an application, the service or a connect session did. */
  @Column('text', { name: 'actor', nullable: true })
  actorId: string | null;

  @Field(() => ID, { simple: true, description: 'Begins with `chg_`: resume with it as `after`.' })
  get id(): string {
    return toPublicId('chg', this.uuid);
  }
}

@ObjectType({ description: 'One page of status changes.', simpleResolvers: true })
export class IntegrationStatusChangePage {
  @Field(() => [IntegrationStatusChange], { description: 'The changes of this page.' })
  items: IntegrationStatusChange[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}
