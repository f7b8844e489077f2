import { LATEST_CHANGE } from '../../platform/graphql/connections.js';
import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { wordList } from '../../platform/word-list.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { AuthKind } from './auth-kind.js';
import { IntegrationStatus, SHOWN_REASONS, type StatusReason } from './changes/integration-status.js';

/** `Integration.externalId` and `externalName` in the API. */
@ObjectType({ description: 'The account at the application.', simpleResolvers: true })
export class ConnectedAccount {
  @Field(() => String, { description: 'The id of the account at the application. Unique only there.' })
  externalId: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name or email address of the account, if the application has one.',
  })
  name: string | null;
}

/** Table and API type. Sealed columns have no `@Field`; the credentials are no column of this class at all. */
@Entity('integrations')
@ObjectType({ implements: Node, description: 'A connection to an external application.' })
export class Integration implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { simple: true, description: "The application's name in lowercase with underscores." })
  type: string;

  @Column('text')
  @Field(() => AuthKind, { simple: true, description: 'The way in which it is connected.' })
  auth: AuthKind;

  @Column('text')
  @Field(() => String, { simple: true, description: 'The label; the type if no label was given.' })
  name: string;

  @Column('text')
  @Field(() => IntegrationStatus, { simple: true, description: 'Whether the connection works.' })
  status: IntegrationStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  @Field(() => String, {
    nullable: true,
    simple: true,
    description: `A code for the reason of the status; absent if there is no problem.\n\n${wordList(SHOWN_REASONS)}`,
  })
  statusReason: StatusReason | null;

  @Column('integer')
  @Field(() => Int, { simple: true, description: 'Incremented by each change.' })
  version: number;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, simple: true, description: "The client's own id of the connection's owner." })
  reference: string | null;

  /** The values for the placeholders in the app's URLs. */
  @Column('json')
  parameters: Record<string, string>;

  @Column('text', { array: true })
  @Field(() => [String], {
    simple: true,
    description: 'The granted scopes; the requested ones if the provider names none.',
  })
  scopes: string[];

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  @Column('text', { name: 'external_name', nullable: true })
  externalName: string | null;

  @Column('timestamp with time zone', { name: 'connected_at', precision: 3, nullable: true })
  lastConnectedAt: Date | null;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  lastExpiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'renew_at', precision: 3, nullable: true })
  renewAt: Date | null;

  @Column('integer', { name: 'renewal_failures' })
  renewalFailures: number;

  /** Whether the last renewal left the end where it was. */
  @Column('boolean', { name: 'end_is_fixed' })
  endIsFixed: boolean;

  /** When the application takes calls again after it asked to wait; in the past if it does now. */
  @Column('timestamp with time zone', { name: 'blocked_until', precision: 3, nullable: true })
  lastBlockedUntil: Date | null;

  /** The connect session that created it, even if that has expired; null if an API key or person created it. */
  @Column('uuid', { name: 'connect_session_id', nullable: true })
  connectSessionId: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { simple: true, description: 'When the integration was created.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  @Column('text', { name: 'events_token' })
  sealedEventsToken: string;

  @Column('text', { name: 'events_secret' })
  sealedEventsSecret: string;

  /** The events secret that the provider generated; null if none is set. */
  @Column('text', { name: 'provider_secret', nullable: true })
  sealedProviderSecret: string | null;

  @Field(() => ID, { simple: true, description: 'Begins with `int_`.' })
  get id(): string {
    return toPublicId('int', this.uuid);
  }

  @Field(() => DateTime, {
    nullable: true,
    simple: true,
    description: 'The last time of connecting; null while `PENDING`.',
  })
  get connectedAt(): Date | null {
    return this.status === 'pending' ? null : this.lastConnectedAt;
  }

  @Field(() => DateTime, {
    nullable: true,
    simple: true,
    description:
      'When the connection expires unless it is renewed. Null for API keys, while `PENDING`, and if the provider states no expiry.',
  })
  get expiresAt(): Date | null {
    return this.status === 'pending' ? null : this.lastExpiresAt;
  }

  /** The opposite of `RENEWS_NO_MORE`. */
  @Field(() => Boolean, {
    simple: true,
    description:
      'Whether the service renews the connection automatically before it expires. False if no renewal is possible or needed, and after a renewal that failed or did not move `expiresAt`.',
  })
  get renews(): boolean {
    return this.status === 'connected' && this.renewAt !== null && this.renewalFailures === 0 && !this.endIsFixed;
  }

  @Field(() => ConnectedAccount, {
    nullable: true,
    simple: true,
    description: 'Null if the application does not name it.',
  })
  get account(): ConnectedAccount | null {
    return this.externalId === null ? null : { externalId: this.externalId, name: this.externalName };
  }
}

@ObjectType({ description: 'One page of integrations.', simpleResolvers: true })
export class IntegrationPage {
  @Field(() => [Integration], { description: 'The integrations of this page.' })
  items: Integration[];

  @Field(() => ID, { description: LATEST_CHANGE })
  latestChange?: string;

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}
