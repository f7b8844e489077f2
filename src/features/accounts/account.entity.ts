import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { toPublicId } from '../../platform/ids/ids.js';

@Entity('accounts')
@ObjectType({ description: 'Everything that belongs together: workflows, integrations, keys.', simpleResolvers: true })
export class Account {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('text')
  @Field(() => String, { description: 'Unique in this service.' })
  name: string;

  /** Numbers the account's integration changes without gaps, in the order of their commits. */
  @Column('bigint', { name: 'change_position', default: 0 })
  changePosition: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the account was made.' })
  createdAt: Date;

  @Field(() => ID, { description: 'Begins with `acc_`.' })
  get id(): string {
    return toPublicId('acc', this.uuid);
  }
}
