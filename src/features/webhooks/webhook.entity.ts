import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { wordList } from '../../platform/word-list.js';
import { Actor, actorOf } from '../../platform/graphql/actor.js';
import { entityTag } from '../../platform/entity-tag.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { type WebhookEventType } from './webhook-event-type.js';
import { DISABLED_REASONS, type DisabledReason, WebhookStatus } from './webhook-status.js';

@Entity('webhooks')
@ObjectType({
  implements: Node,
  description: 'A URL to which events are posted, signed by Standard Webhooks.',
  simpleResolvers: true,
})
export class Webhook implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id', nullable: true })
  workflowUuid: string | null;

  @Column('text')
  @Field(() => String, { description: 'The URL to which events are posted.' })
  url: string;

  /** The host and port of the URL. Hosts get fair shares of sending. */
  @Column('text')
  host: string;

  @Column('text', { array: true })
  @Field(() => [String], { description: 'The types of events that are sent.' })
  events: WebhookEventType[];

  @Column('text', { name: 'secret' })
  sealedSecret: string;

  @Column('text')
  @Field(() => WebhookStatus, { description: 'Whether events are sent to it.' })
  status: WebhookStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: `Why the service disabled the webhook; otherwise null.\n\n${wordList(DISABLED_REASONS)}`,
  })
  statusReason: DisabledReason | null;

  /** The caller who disabled it; null while it is enabled, and if the service disabled it. */
  @Column('text', { name: 'disabled_by', nullable: true })
  disabledById: string | null;

  @Field(() => Actor, { nullable: true, description: 'The user or API key that disabled the webhook; otherwise null.' })
  get disabledBy(): Actor | null {
    return actorOf(this.disabledById);
  }

  /** The time of the first failure since the last success. */
  @Column('timestamp with time zone', { name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the webhook was created.' })
  createdAt: Date;

  /** The time of the last change of a field by a client or the service, later with each. */
  @Column('timestamp with time zone', { name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** Set by the service only when the secret was just made. */
  @Field(() => String, {
    nullable: true,
    description: 'Begins with `whsec_`. Null except in the response that creates the webhook or rotates its secret.',
  })
  secret?: string | null;

  @Field(() => String, {
    description:
      'The version of the webhook: a new text with each change, also if a field is set to the value that it has. Rotating the secret is none. For `expectedVersion`, and the `ETag` of REST.',
  })
  get etag(): string {
    return entityTag(this);
  }

  @Field(() => ID, { description: 'Begins with `wh_`.' })
  get id(): string {
    return toPublicId('wh', this.uuid);
  }

  @Field(() => ID, { nullable: true, description: 'The only workflow whose events are sent; null for all workflows.' })
  get workflowId(): string | null {
    return this.workflowUuid === null ? null : toPublicId('wf', this.workflowUuid);
  }
}

@ObjectType({ description: 'One page of webhooks.', simpleResolvers: true })
export class WebhookPage {
  @Field(() => [Webhook], { description: 'The webhooks of this page.' })
  items: Webhook[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}

@ObjectType({ description: 'A webhook with its new secret.', simpleResolvers: true })
export class CreatedWebhook {
  @Field(() => Webhook, { description: 'The webhook, with its secret.' })
  webhook: Webhook;

  @Field(() => String, { description: 'The secret that verifies signatures. It is shown only here, once.' })
  secret: string;
}
