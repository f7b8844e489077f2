import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { toPublicId } from '../../platform/ids/ids.js';
import { DateTime } from '../../platform/graphql/scalars.js';

@Entity('users')
@ObjectType({
  implements: Node,
  description: 'A person of an account who signs in to the dashboard.',
  simpleResolvers: true,
})
export class User implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { description: 'The email address in lower case; unique in this service.' })
  email: string;

  /** Whether the address is verified: by a link that was only mailed there, or by the OIDC issuer. */
  @Column('boolean', { name: 'email_verified', default: false })
  emailVerified: boolean;

  @Column('text')
  @Field(() => String, { description: 'The name of the person.' })
  name: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the person became a user.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Field(() => ID, { description: 'Begins with `usr_`.' })
  get id(): string {
    return toPublicId('usr', this.uuid);
  }
}
