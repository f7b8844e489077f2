import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, Int, ObjectType } from 'type-graphql';
import { ActionKind } from '../actions/action-kind.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { RunError } from './run-error.js';
import { StepStatus } from './run-status.js';

@Entity('steps')
@ObjectType({ description: 'The execution of one action in a run.', simpleResolvers: true })
export class Step {
  @PrimaryColumn('uuid', { name: 'run_id' })
  runUuid: string;

  @PrimaryColumn('integer')
  @Field(() => Int, { description: 'The index of its action, from 0.' })
  index: number;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  @Field(() => String, { description: 'The name of its action.' })
  name: string;

  @Column('text')
  @Field(() => ActionKind, { description: 'The kind of its action.' })
  kind: ActionKind;

  @Column('text')
  @Field(() => StepStatus, { description: 'How far the step has come.' })
  status: StepStatus;

  @Column('integer')
  @Field(() => Int, { description: 'The number of attempts.' })
  attempt: number;

  /** For the comparison with the table; responses and step inputs use `outputText`. */
  @Column('json', { nullable: true })
  output: unknown;

  /** The JSON of `output`, selected instead of it; undefined if not selected. */
  outputText?: string | null;

  /** Whether there is an output; selected in lists, which omit large outputs. */
  hasOutput?: boolean;

  @Column('json', { nullable: true })
  @Field(() => RunError, { nullable: true, description: 'Why the last attempt failed; null after success.' })
  error: RunError | null;

  /** The run in which it was executed, if it was carried over from there: its wait has a URL of that run. */
  @Column('uuid', { name: 'first_run_id', nullable: true })
  firstRunUuid: string | null;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When the step began.' })
  startedAt: Date | null;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When the step ended; null before that.' })
  finishedAt: Date | null;
}
