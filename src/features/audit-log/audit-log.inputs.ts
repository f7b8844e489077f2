import { ArgsType, Field, ID } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';

/** The filters of the audit log; ids may be of deleted objects. */
@ArgsType()
export class AuditFilter {
  @Field(() => ID, { nullable: true, description: 'Only changes by this user or API key.' })
  actor?: string | null;

  @Field(() => String, { nullable: true, description: 'Only this action, e.g. `workflow.updated`.' })
  action?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only changes of the object with this id, also once it is deleted.' })
  resource?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only changes after this time.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Only changes before this time.' })
  createdBefore?: Date | null;
}
