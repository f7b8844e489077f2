import { Node } from '../../platform/graphql/nodes.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { wordList } from '../../platform/word-list.js';
import { Actor, actorOf } from '../../platform/graphql/actor.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { TriggerType } from '../workflows/trigger-type.js';
import { RUN_REASONS } from './run-reasons.js';
import { RunError } from './run-error.js';
import { RunStatus } from './run-status.js';

@Entity('runs')
@ObjectType({
  implements: Node,
  description: 'One execution of a workflow, or a firing of a trigger that was skipped.',
  simpleResolvers: true,
})
export class Run implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id' })
  workflowUuid: string;

  /** The trigger may be deleted: see `triggerExists`. */
  @Column('uuid', { name: 'trigger_id', nullable: true })
  triggerUuid: string | null;

  @Column('text', { name: 'trigger_type' })
  @Field(() => TriggerType, {
    description: 'The type of the trigger that fired, known even when the trigger is deleted.',
  })
  triggerType: TriggerType;

  @Column('text')
  @Field(() => RunStatus, { description: 'How far the run has come.' })
  status: RunStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: `A word for why, where the status needs one; else null.\n\n${wordList(RUN_REASONS)}`,
  })
  statusReason: string | null;

  /** The caller who asked for the cancellation; the run may have ended otherwise. */
  @Column('text', { name: 'canceled_by', nullable: true })
  canceledById: string | null;

  @Field(() => Actor, {
    nullable: true,
    description: 'The user or API key that canceled the run. Null unless one did.',
  })
  get canceledBy(): Actor | null {
    return this.status === 'canceled' ? actorOf(this.canceledById) : null;
  }

  @Column('integer', { default: 1 })
  @Field(() => Int, {
    simple: true,
    description:
      'Incremented by each change of status: of two copies of a run the one with the greater version is newer.',
  })
  version: number;

  @Column('integer', { default: 1 })
  @Field(() => Int, { description: 'The number of the attempt: 1, or one more than the run that it retries.' })
  attempt: number;

  /** Says for each change of status which transactions had ended by then: see `change_mark`. */
  @Column('bigint', { name: 'change_marks', array: true, nullable: true })
  changeMarks: unknown;

  @Column('boolean', { name: 'is_test', default: false })
  @Field(() => Boolean, { description: 'Made by `testWorkflow`: not counted, and without webhook events.' })
  isTest: boolean;

  @Column('uuid', { name: 'retry_of', nullable: true })
  retryOfUuid: string | null;

  /** For webhooks; responses and step inputs use `inputText`. */
  @Column('json', { nullable: true })
  input: unknown;

  /** The JSON of `input`, selected instead of it; undefined if not selected: see `RunService.withInput`. */
  inputText?: string | null;

  /** For the comparison with the table; responses and step inputs use the texts. */
  @Column('json', { name: 'trigger_headers', nullable: true })
  triggerHeadersJson: unknown;

  @Column('json', { name: 'trigger_query', nullable: true })
  triggerQueryJson: unknown;

  /** JSON objects, selected with `inputText`; null unless a request to an inbound hook fired the run. */
  triggerHeadersText?: string | null;

  triggerQueryText?: string | null;

  /** Whether there is an input; selected in lists, which omit large inputs. */
  hasInput?: boolean;

  /** Read as a single run and not in a list, so that nothing is omitted. */
  isSingle?: boolean;

  @Column('json', { nullable: true })
  @Field(() => RunError, { nullable: true, description: 'Why the run failed; null for every other status.' })
  error: RunError | null;

  /** The list of actions that it executes; null if the workflow had none. */
  @Column('uuid', { name: 'actions_id', nullable: true })
  actionsId: string | null;

  /** How many runs in a row led to this one. */
  @Column('integer', { default: 0 })
  hops: number;

  @Column('timestamp with time zone', { name: 'scheduled_for', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'The time at which the schedule was due.' })
  scheduledFor: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, { description: 'When the trigger fired.' })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When a worker started the run; null before that.' })
  startedAt: Date | null;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When the run ended; null before that.' })
  finishedAt: Date | null;

  @Column('timestamp with time zone', { name: 'resume_at', precision: 3, nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the run continues, after a `delay` or before a retry of a step. Null while it waits for no time.',
  })
  resumesAt: Date | null;

  /** When the run last began or ended to wait for something outside; null if it never waited. */
  @Column('timestamp with time zone', { name: 'wait_changed_at', precision: 3, nullable: true })
  waitChangedAt: Date | null;

  /** How long it has waited so far, in milliseconds, without the present wait. Its time limit does not count that. */
  @Column('bigint', { name: 'waited_ms', default: 0 })
  waitedMs: number;

  /** Selected besides the columns: runs outlive their trigger and don't show a deleted one. */
  triggerExists: boolean;

  @Field(() => ID, { description: 'Begins with `run_`.' })
  get id(): string {
    return toPublicId('run', this.uuid);
  }

  @Field(() => ID, { description: 'The workflow of the run, known even when it is deleted.' })
  get workflowId(): string {
    return toPublicId('wf', this.workflowUuid);
  }

  @Field(() => ID, { nullable: true, description: 'Null once the trigger is deleted.' })
  get triggerId(): string | null {
    return this.triggerUuid !== null && this.triggerExists ? toPublicId('trg', this.triggerUuid) : null;
  }

  @Field(() => ID, { nullable: true, description: 'The run that this one repeats.' })
  get retryOf(): string | null {
    return this.retryOfUuid === null ? null : toPublicId('run', this.retryOfUuid);
  }
}

@ObjectType({ description: 'One page of runs.', simpleResolvers: true })
export class RunPage {
  @Field(() => [Run], { description: 'The runs of this page.' })
  items: Run[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;

  /** The resolver of the page supplies one if the list has none. */
  latestChange?: string;
}
