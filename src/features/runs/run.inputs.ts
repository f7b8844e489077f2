import { IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, Int } from 'type-graphql';
import { PageArgs } from '../../platform/db/pages/pagination.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { IsText } from '../../platform/validation.js';
import { RunStatus } from './run-status.js';

/** The longest code of an error that a filter takes. */
const MAX_ERROR_CODE = 255;
/** The description of that filter. */
const ERROR_CODE = 'Only failed runs whose error has this code, e.g. `http_404`.';

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

/** The filters that tell runs apart for good, those of bulk operations. */
@ArgsType()
export class RunSelection {
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

  @Field(() => String, { nullable: true, description: ERROR_CODE })
  @IsOptional()
  @IsText(1, MAX_ERROR_CODE)
  errorCode?: string | null;
}

/** The filters of the list of runs. */
@ArgsType()
export class RunFilter extends RunSelection {
  @Field(() => String, {
    nullable: true,
    description:
      'Only runs with this text in their error or their input, ignoring case, or with this id or last eight characters of an id. Reads the newest 10,000 runs of the given workflow, trigger and time, and inputs up to 16 kB. At most 255 characters.',
  })
  @IsOptional()
  @IsText(0, 255)
  search?: string | null;
}

@ArgsType()
export class WorkflowRunsArgs extends PageArgs {
  @Field(() => RunStatus, { nullable: true, description: 'Only those in this status.' })
  status?: RunStatus | null;
}
