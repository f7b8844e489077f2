import { IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { PageArgs } from '../../platform/db/pages/pagination.js';
import { Json } from '../../platform/graphql/scalars.js';
import { IsText } from '../../platform/validation.js';
import { ApprovalDecision, WaitKind, WaitStatus } from './wait-status.js';

@ArgsType()
export class WaitFilter {
  @Field(() => WaitStatus, { nullable: true, description: 'Only those in this status.' })
  status?: WaitStatus | null;

  @Field(() => WaitKind, { nullable: true, description: 'Only those of this kind.' })
  kind?: WaitKind | null;

  @Field(() => ID, { nullable: true, description: 'Only those of this run.' })
  runId?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those for a connection with this reference.' })
  @IsOptional()
  @IsText(0, Infinity)
  reference?: string | null;
}

@ArgsType()
export class LinkedWaitsArgs extends PageArgs {
  @Field(() => WaitStatus, { nullable: true, description: 'Only those in this status.' })
  status?: WaitStatus | null;
}

@ArgsType()
export class GetWaitArgs {
  @Field(() => ID)
  id: string;

  @Field(() => Int, { nullable: true, description: 'Seconds, 1 to 30, to hold the response while it is pending.' })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(30, { message: 'must be at most 30' })
  wait?: number | null;
}

/** The maximum length of a comment, in characters. */
export const MAX_COMMENT = 2_000;

@InputType({ description: 'An answer: `decision` for an approval, `body` for a callback.' })
export class WaitAnswerInput {
  @Field(() => ApprovalDecision, { nullable: true, description: 'The decision about an approval.' })
  decision?: ApprovalDecision | null;

  @Field(() => String, { nullable: true, description: 'The reason for the decision, at most 2,000 characters.' })
  @IsOptional()
  @IsText(0, MAX_COMMENT)
  comment?: string | null;

  @Field(() => Json, { nullable: true, description: 'What a callback continues with: any JSON, null too.' })
  body?: unknown;
}
