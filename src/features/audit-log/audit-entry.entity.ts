import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { DateTime, JsonObject } from '../../platform/graphql/scalars.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { type AuthorKind } from '../../platform/admission/origin.js';
import { wordList } from '../../platform/word-list.js';
import { AUDIT_ACTIONS, RESOURCES, type ResourceType } from './audit-action.js';

/** The kinds of actors in the audit log. */
const AuditActorKind = {
  USER: 'user',
  API_KEY: 'api_key',
  CONNECT_SESSION: 'connect_session',
  COMMAND: 'command',
  SERVICE: 'service',
} as const satisfies Record<string, AuthorKind>;

registerEnumType(AuditActorKind, {
  name: 'AuditActorKind',
  description: 'The kind of an actor in the audit log.',
  valuesConfig: {
    USER: { description: 'A person who was signed in, or who became a user by this change.' },
    API_KEY: { description: 'A program with an API key.' },
    CONNECT_SESSION: { description: 'A browser with a connect session.' },
    COMMAND: { description: 'The operator, by a command of the shell.' },
    SERVICE: {
      description:
        'No caller: the service itself, also when a browser comes back with a consent or an application refuses.',
    },
  },
});

const PREFIXES = { user: 'usr', api_key: 'key', connect_session: 'cs' } as const;

/** The author of an entry, by the columns and the name that was read. */
@ObjectType({ description: 'The author of a change.', simpleResolvers: true })
export class AuditActor {
  @Field(() => AuditActorKind, { description: 'What it is.' })
  kind: AuthorKind;

  @Field(() => ID, {
    nullable: true,
    description:
      'Begins with `usr_`, `key_` or `cs_`; null for a command and the service. It stays after the user was removed.',
  })
  id: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The present name of the user or label of the key, or the command. Null once the user was removed.',
  })
  name: string | null;
}

/** The object of an entry, which may be deleted since. */
@ObjectType({ description: 'The object that was changed.', simpleResolvers: true })
export class AuditResource {
  @Field(() => String, { description: 'The first word of the action, e.g. `workflow`.' })
  type: ResourceType;

  @Field(() => ID, { description: 'Its id, also once it is deleted.' })
  id: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Its name at the change, if it has one. Of a user and an invitation the present name and address, null once removed.',
  })
  name: string | null;
}

/** One entry. The service only inserts rows. */
@Entity('audit_log')
@ObjectType('AuditEntry', {
  description: 'One change, by whom and from where. Kept for 365 days.',
  simpleResolvers: true,
})
export class AuditEntry {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('timestamp with time zone', { precision: 3 })
  @Field(() => DateTime, { description: 'When it was changed.' })
  at: Date;

  @Column('text', { name: 'author_kind' })
  authorKind: AuthorKind;

  @Column('uuid', { name: 'author_id', nullable: true })
  authorId: string | null;

  /** The command; null for other authors, whose names are read. */
  @Column('text', { name: 'author_name', nullable: true })
  authorName: string | null;

  @Column('text')
  @Field(() => String, { description: `What was done.\n\n${wordList(AUDIT_ACTIONS)}` })
  action: string;

  @Column('text', { name: 'resource_type' })
  resourceType: ResourceType;

  @Column('uuid', { name: 'resource_id' })
  resourceId: string;

  @Column('text', { name: 'resource_name', nullable: true })
  resourceName: string | null;

  @Column('text', { nullable: true })
  @Field(() => String, {
    nullable: true,
    description: "The client's IP address; null for a command and for changes without a request.",
  })
  address: string | null;

  @Column('json', { nullable: true })
  @Field(() => JsonObject, {
    nullable: true,
    description: 'Public fields before the change, without secrets; null if it is new, or if the action says it all.',
  })
  before: Record<string, unknown> | null;

  @Column('json', { nullable: true })
  @Field(() => JsonObject, {
    nullable: true,
    description: 'The same fields after the change; null if it is deleted, or if the action says it all.',
  })
  after: Record<string, unknown> | null;

  /** Selected besides the columns: the present names of people and keys. */
  presentAuthor: string | null;

  presentResource: string | null;

  @Field(() => ID, { description: 'Begins with `aud_`.' })
  get id(): string {
    return toPublicId('aud', this.uuid);
  }

  @Field(() => AuditActor, { description: 'Who changed it.' })
  get actor(): AuditActor {
    const { authorKind: kind, authorId, authorName, presentAuthor } = this;
    const prefix = PREFIXES[kind as keyof typeof PREFIXES];
    return { kind, id: authorId && toPublicId(prefix, authorId), name: authorName ?? presentAuthor };
  }

  @Field(() => AuditResource, { description: 'The object that was changed.' })
  get resource(): AuditResource {
    const { resourceType: type, resourceId, resourceName, presentResource } = this;
    return { type, id: toPublicId(RESOURCES[type], resourceId), name: resourceName ?? presentResource };
  }
}

/** One page of entries, newest first. */
@ObjectType({ description: 'One page of the audit log.', simpleResolvers: true })
export class AuditLogPage {
  @Field(() => [AuditEntry], { description: 'The entries of this page.' })
  items: AuditEntry[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
