import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { entityTag } from '../../platform/entity-tag.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { WorkflowStatus } from './workflow-status.js';

/** The maximum of GraphQL's Int; larger counts are shown as this. */
const MAX_INT = 2 ** 31 - 1;
/** `Workflow.actionsVersion` of a workflow whose actions were never set. */
export const NO_ACTIONS = 'none';

@Entity('workflows')
@ObjectType({
  implements: Node,
  description: 'A series of actions that run when a trigger fires.',
  simpleResolvers: true,
})
export class Workflow implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { description: '1 to 255 characters.' })
  name: string;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'Plain text, at most 1,000 characters.' })
  description: string | null;

  @Column('text')
  @Field(() => WorkflowStatus, { description: 'Whether the workflow runs when its triggers fire.' })
  status: WorkflowStatus;

  @Column('integer', { name: 'failure_notice_after', nullable: true, default: 3 })
  @Field(() => Int, {
    nullable: true,
    description:
      'The users of the account get a mail, and webhooks `workflow.failing`, once so many runs have failed in a row. Null: never.',
  })
  failureNoticeAfter: number | null;

  @Column('bigint', { name: 'run_count', default: 0 })
  totalRuns: number;

  /** The current row of `action_lists`; null if actions were never set. */
  @Column('uuid', { name: 'actions_id', nullable: true })
  actionsId: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the workflow was created.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3 })
  @Field(() => DateTime, { description: 'When name, description, status or actions were last set.' })
  updatedAt: Date;

  @Field(() => String, {
    description:
      'The version of the list of actions: a new text each time they are set, `none` before. For `setWorkflowActions(expectedVersion:)`.',
  })
  get actionsVersion(): string {
    return this.actionsId ?? NO_ACTIONS;
  }

  @Field(() => String, {
    description:
      'The version of the workflow: a new text with each change, also if a field is set to the value that it has. For `expectedVersion`, and the `ETag` of REST.',
  })
  get etag(): string {
    return entityTag(this, [this.runCount]);
  }

  @Field(() => ID, { description: 'Begins with `wf_`.' })
  get id(): string {
    return toPublicId('wf', this.uuid);
  }

  @Field(() => Int, { description: 'The total number of runs, without skipped and test runs.' })
  get runCount(): number {
    return Math.min(this.totalRuns, MAX_INT);
  }
}

@ObjectType({ description: 'One page of workflows.', simpleResolvers: true })
export class WorkflowPage {
  @Field(() => [Workflow], { description: 'The workflows of this page.' })
  items: Workflow[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
