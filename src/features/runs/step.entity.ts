import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, Int, ObjectType } from 'type-graphql';
import { ActionKind } from '../actions/action-kind.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { RunError } from './run-error.js';
import { StepStatus } from './run-status.js';

@Entity('steps')
@ObjectType({ description: 'One action of a run, as it was carried out.', simpleResolvers: true })
export class Step {
  @PrimaryColumn('uuid', { name: 'run_id' })
  runUuid: string;

  @PrimaryColumn('integer')
  @Field(() => Int, { description: 'The place of its action, counted from 0.' })
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
  @Field(() => Int, { description: 'How often it was tried.' })
  attempt: number;

  /** For inputs of later steps; answers are given `outputText`. */
  @Column('json', { nullable: true })
  output: unknown;

  /** The JSON of `output`, selected in its place; undefined where it was not asked for. */
  outputText?: string | null;

  /** Whether there is an output; selected where a long one is left out. */
  hasOutput?: boolean;

  @Column('json', { nullable: true })
  @Field(() => RunError, { nullable: true, description: 'Why the step failed last; null after success.' })
  error: RunError | null;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When the step began.' })
  startedAt: Date | null;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'When the step ended; null before that.' })
  finishedAt: Date | null;
}
