import { IsDate, IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { IsText } from '../../platform/validation.js';
import { type Scope } from '../../platform/context.js';
import { ApiKeyScope } from './api-key.entity.js';

@InputType({ description: 'A new API key.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: '1 to 255 characters.' })
  @IsText(1, 255)
  label: string;

  @Field(() => ApiKeyScope, { description: 'What the key may do.' })
  scope: Scope;

  @Field(() => DateTime, {
    nullable: true,
    description: 'The time from which the key is refused; it must be in the future. Default: never.',
  })
  @IsOptional()
  @IsDate({ message: 'must be a date and time' })
  expiresAt?: Date | null;
}

@ArgsType()
export class RotateApiKeyArgs {
  @Field(() => ID)
  id: string;

  @Field(() => Int, { defaultValue: 24, description: 'Hours for which the old key still works, 0 to 720.' })
  @Min(0, { message: 'must be at least 0' })
  @Max(720, { message: 'must be at most 720' })
  overlapHours: number;
}
