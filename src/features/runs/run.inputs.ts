import { IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, Int } from 'type-graphql';
import { PageArgs } from '../../platform/db/pagination.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { RunStatus } from './run-status.js';

@ArgsType()
export class GetRunArgs {
  @Field(() => ID)
  id: string;

  @Field(() => Int, { nullable: true, description: 'Seconds, 1 to 30, to hold the answer until the run has ended.' })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(30, { message: 'must be at most 30' })
  wait?: number | null;
}

@ArgsType()
export class RunFilter {
  @Field(() => ID, { nullable: true, description: 'Only those of this workflow.' })
  workflowId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only those of this trigger.' })
  triggerId?: string | null;

  @Field(() => RunStatus, { nullable: true, description: 'Only those in this status.' })
  status?: RunStatus | null;

  @Field(() => Boolean, { nullable: true, description: 'True: only test runs. False: only other runs.' })
  isTest?: boolean | null;

  @Field(() => DateTime, { nullable: true, description: 'Only runs created after this time.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Only runs created before this time.' })
  createdBefore?: Date | null;
}

@ArgsType()
export class WorkflowRunsArgs extends PageArgs {
  @Field(() => RunStatus, { nullable: true, description: 'Only those in this status.' })
  status?: RunStatus | null;
}
