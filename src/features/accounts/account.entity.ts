import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { toPublicId } from '../../platform/ids/ids.js';

/** Every row of another table belongs to one account, and every query names it. */
@Entity('accounts')
@ObjectType({
  implements: Node,
  description: 'The owner of workflows, integrations, keys and users.',
  simpleResolvers: true,
})
export class Account implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('text')
  @Field(() => String, { description: 'Unique in this service.' })
  name: string;

  /**
   * The position of the account's latest integration change. Positions have no gaps and follow the order of commits.
   */
  @Column('bigint', { name: 'change_position', default: 0 })
  changePosition: number;

  @Column('boolean', { name: 'event_log', default: true })
  @Field(() => Boolean, {
    description: 'Whether new events are added to the log that `events` reads. On for new accounts.',
  })
  eventLog: boolean;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the account was created.' })
  createdAt: Date;

  @Field(() => ID, { description: 'Begins with `acc_`.' })
  get id(): string {
    return toPublicId('acc', this.uuid);
  }
}
