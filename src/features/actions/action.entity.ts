import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Field, ObjectType } from 'type-graphql';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { ActionKind } from './action-kind.js';

/** One element of the JSON in `ActionList.body`. */
@ObjectType({ description: 'One step of what a workflow does. Actions run in order.', simpleResolvers: true })
export class Action {
  @Field(() => String, { description: 'Unique in the workflow.' })
  name: string;

  @Field(() => ActionKind, { description: 'What the action does.' })
  kind: ActionKind;

  @Field(() => JsonObject, { description: 'Exactly as it was sent.' })
  config: Record<string, unknown>;
}

/** One saved list of actions. Rows are immutable: saving again inserts another row, so that runs keep their list. */
@Entity('action_lists')
export class ActionList {
  @PrimaryColumn('uuid', { name: 'id' })
  uuid: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'workflow_id' })
  workflowId: string;

  /** Sealed: the JSON of `Action[]`. */
  @Column('text')
  body: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
