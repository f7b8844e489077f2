import { IsIn, IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { IfGiven, IsText } from '../../platform/validation.js';
import { STARTING, WorkflowStatus } from './workflow-status.js';

/** The most characters of a name. */
export const MAX_NAME = 255;

@ArgsType()
export class WorkflowFilter {
  @Field(() => WorkflowStatus, { nullable: true, description: 'Only those in this status.' })
  status?: WorkflowStatus | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only those with this text in name or description, in any case. At most 255 characters.',
  })
  @IsOptional()
  @IsText(0, 255)
  search?: string | null;
}

@InputType({ description: 'A new workflow.' })
export class CreateWorkflowInput {
  @Field(() => String, { description: '1 to 255 characters.' })
  @IsText(1, MAX_NAME)
  name: string;

  @Field(() => String, { nullable: true, description: 'At most 1,000 characters. Empty and null mean none.' })
  @IsOptional()
  @IsText(0, 1000)
  description?: string | null;

  @Field(() => WorkflowStatus, {
    nullable: true,
    defaultValue: WorkflowStatus.DRAFT,
    description: '`ACTIVE` or `DRAFT`.',
  })
  @IfGiven(WorkflowStatus.DRAFT)
  @IsIn(STARTING, { message: 'must be ACTIVE or DRAFT' })
  status: WorkflowStatus;

  @Field(() => Int, {
    nullable: true,
    description:
      'After how many failures in a row there is a notice: 1 to 100. Null switches notices off; absent means 3.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(100, { message: 'must be at most 100' })
  failureNoticeAfter?: number | null;
}

@InputType({ description: 'The fields of a workflow to change; those that are absent stay.' })
export class UpdateWorkflowInput {
  @Field(() => String, { nullable: true, description: '1 to 255 characters.' })
  @IfGiven()
  @IsText(1, MAX_NAME)
  name?: string;

  @Field(() => String, { nullable: true, description: 'At most 1,000 characters. Empty and null clear it.' })
  @IsOptional()
  @IsText(0, 1000)
  description?: string | null;

  @Field(() => WorkflowStatus, { nullable: true, description: 'Every transition is allowed.' })
  @IfGiven()
  @IsIn(Object.values(WorkflowStatus), { message: 'must be ACTIVE, DRAFT, PAUSED or ARCHIVED' })
  status?: WorkflowStatus;

  @Field(() => Int, {
    nullable: true,
    description: 'After how many failures in a row there is a notice: 1 to 100. Null switches notices off.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(100, { message: 'must be at most 100' })
  failureNoticeAfter?: number | null;
}
