import { Node } from '../../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { toPublicId } from '../../../platform/ids/ids.js';
import { DateTime } from '../../../platform/graphql/scalars.js';

@Entity('invitations')
@ObjectType({
  implements: Node,
  description: 'Lets one person become a user of the account. Works once.',
  simpleResolvers: true,
})
export class Invitation implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { description: 'The address of the invited person, in lower case.' })
  email: string;

  /** The SHA-256 of the token in the link that the inviter gets. Tokens themselves are never stored. */
  @Column('bytea')
  digest: Buffer;

  /** The SHA-256 of the token in the mailed link, whose use proves the address; null if nothing was mailed. */
  @Column('bytea', { name: 'mailed_digest', nullable: true })
  mailedDigest: Buffer | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the invitation was created.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the link stops working.' })
  expiresAt: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'A link to pass on, returned only by `inviteUser`. The mail contains another link: only the use of that one proves the address.',
  })
  url?: string | null;

  @Field(() => ID, { description: 'Begins with `inv_`.' })
  get id(): string {
    return toPublicId('inv', this.uuid);
  }
}
