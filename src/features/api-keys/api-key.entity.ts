import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { type Scope } from '../../platform/context.js';
import { toPublicId } from '../../platform/ids/ids.js';

/** The GraphQL enum of scopes: `READ_ONLY` for `read-only`. */
export const ApiKeyScope = { READ_ONLY: 'read-only', READ_WRITE: 'read-write' } as const satisfies Record<
  string,
  Scope
>;
registerEnumType(ApiKeyScope, {
  name: 'ApiKeyScope',
  description: 'What a key may do.',
  valuesConfig: {
    READ_ONLY: {
      description:
        'List and retrieve. That includes the `webhookUrl` and `config` of triggers and the headers of actions, so the holder can start workflows.',
    },
    READ_WRITE: { description: 'Create, update, delete and retrieve all resources.' },
  },
});

/** An API key, stored as its digest. Revoked and expired keys stay in the table. */
@Entity('api_keys')
@ObjectType({
  implements: Node,
  description: 'A long-lived key. The key itself is shown once, when it is created.',
  simpleResolvers: true,
})
export class ApiKey implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { description: 'What the key is for, written by its creator.' })
  label: string;

  @Column('text')
  @Field(() => ApiKeyScope, { description: 'What the key may do.' })
  scope: Scope;

  /** The SHA-256 of the key. The key itself is never stored. */
  @Column('bytea')
  digest: Buffer;

  @Column('text', { name: 'last_four' })
  @Field(() => String, { description: 'The last four characters, to tell keys apart.' })
  lastFour: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the key was created.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'The last use, accurate to a minute.' })
  lastUsedAt: Date | null;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'From then on the key is refused.' })
  expiresAt: Date | null;

  /** The expiry that the key was created with; a rotation may have moved `expiresAt` forward. */
  @Column('timestamp with time zone', { name: 'own_end', precision: 3, nullable: true })
  ownEnd: Date | null;

  @Column('timestamp with time zone', { name: 'revoked_at', precision: 3, nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key was revoked; null while it works or has only expired.',
  })
  revokedAt: Date | null;

  @Field(() => ID, { description: 'Begins with `key_`.' })
  get id(): string {
    return toPublicId('key', this.uuid);
  }
}
