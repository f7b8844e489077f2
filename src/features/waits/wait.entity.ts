import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from '../../platform/graphql/nodes.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { LATEST_CHANGE } from '../../platform/graphql/connections.js';
import { PageMeta } from '../../platform/db/pages/pagination.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { WaitKind, WaitStatus } from './wait-status.js';

/** A row exists from the moment that the run reaches the wait, or that an answer arrives before it. */
@Entity('waits')
@ObjectType({ implements: Node, description: 'Something outside that a run waits for.', simpleResolvers: true })
export class Wait implements Node {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id' })
  workflowUuid: string;

  @Column('uuid', { name: 'run_id' })
  runUuid: string;

  @Column('integer', { name: 'step_index' })
  stepIndex: number;

  @Column('text')
  @Field(() => String, { description: 'The path of its step: in a list without nesting the name of the action.' })
  step: string;

  @Column('text')
  @Field(() => WaitKind, { description: 'What the run waits for.' })
  kind: WaitKind;

  @Column('text')
  @Field(() => WaitStatus, { description: 'How far it has come.' })
  status: WaitStatus;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'What is to be approved; null for other kinds.' })
  title: string | null;

  @Column('text', { nullable: true })
  @Field(() => String, { nullable: true, description: 'More about what is to be approved.' })
  text: string | null;

  /** The addresses that have a link of their own. */
  @Column('json', { nullable: true })
  approvers: string[] | null;

  @Column('text', { name: 'on_denied', nullable: true })
  onDenied: 'fail' | 'continue' | null;

  @Column('text', { name: 'on_timeout', nullable: true })
  onTimeout: 'fail' | 'deny' | null;

  @Column('text', { name: 'integration_type', nullable: true })
  @Field(() => String, { nullable: true, description: 'The type of the awaited connection; null for other kinds.' })
  integrationType: string | null;

  @Column('text', { nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reference of the awaited connection; null for other kinds.',
  })
  reference: string | null;

  /** The step is executed again after the answer. */
  @Column('boolean')
  repeats: boolean;

  /** The connect session that the page of the wait has started. */
  @Column('uuid', { name: 'connect_session_id', nullable: true })
  connectSessionUuid: string | null;

  /** For the comparison with the table; responses use `answerText`. */
  @Column('json', { nullable: true })
  answer: unknown;

  /** The JSON of `answer`, selected instead of it; null also if a list omits it. */
  answerText?: string | null;

  /** Whether there is an answer; selected in lists, which omit large ones. */
  hasAnswer?: boolean;

  /** SHA-256 of the bytes that were posted; null for any other answer. */
  @Column('bytea', { name: 'answer_digest', nullable: true })
  answerDigest: Buffer | null;

  @Column('text', { name: 'answered_by', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The email address of the person or the label of the API key that answered it; null for any other.',
  })
  answeredBy: string | null;

  @Column('boolean', { name: 'is_test' })
  isTest: boolean;

  @Column('integer')
  hops: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  @Field(() => DateTime, {
    description:
      'When the run reached it. Of one that was answered earlier: when it was answered, until the run reaches it.',
  })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ends without an answer. Null until the run reaches it.',
  })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'answered_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When it was answered.' })
  answeredAt: Date | null;

  @Field(() => ID, { description: 'Begins with `wait_`.' })
  get id(): string {
    return toPublicId('wait', this.uuid);
  }

  @Field(() => ID, { description: 'The run that waits.' })
  get runId(): string {
    return toPublicId('run', this.runUuid);
  }

  @Field(() => ID, { description: 'The workflow of the run, known even when it is deleted.' })
  get workflowId(): string {
    return toPublicId('wf', this.workflowUuid);
  }
}

@ObjectType({ description: 'One page of waits.', simpleResolvers: true })
export class WaitPage {
  @Field(() => [Wait], { description: 'The waits of this page.' })
  items: Wait[];

  @Field(() => ID, { description: LATEST_CHANGE })
  latestChange?: string;

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}
