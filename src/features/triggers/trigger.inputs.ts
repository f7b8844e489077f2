import { IsIn, IsObject, IsOptional } from 'class-validator';
import { IfGiven, IsText } from '../../platform/validation.js';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { type TriggerConfig } from './trigger-config.js';
import { CONFIG_BY_TYPE } from './trigger-configs.js';
import { SETTABLE, TriggerStatus, TriggerType } from '../workflows/trigger-type.js';

@ArgsType()
export class TriggerFilter {
  @Field(() => ID, { nullable: true, description: 'Only those of this workflow.' })
  workflowId?: string | null;

  @Field(() => TriggerType, { nullable: true, description: 'Only those of this type.' })
  type?: TriggerType | null;

  @Field(() => TriggerStatus, { nullable: true, description: 'Only those in this status.' })
  status?: TriggerStatus | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only those with this text in their name, their event, their cron expression or the name of their workflow, ignoring case. At most 255 characters.',
  })
  @IsOptional()
  @IsText(0, 255)
  search?: string | null;
}

@InputType({ description: 'A new trigger of one workflow.' })
export class CreateTriggerInput {
  @Field(() => ID, { description: 'The workflow that it fires.' })
  workflowId: string;

  @Field(() => TriggerType, { description: 'What fires the trigger.' })
  type: TriggerType;

  @Field(() => JsonObject, {
    nullable: true,
    description: `Required for \`SCHEDULE\` and \`APP_EVENT\`. By type:\n\n${CONFIG_BY_TYPE}`,
  })
  config?: TriggerConfig | null;

  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters.' })
  @IsOptional()
  @IsText(1, 255)
  name?: string | null;
}

@InputType({ description: 'The fields of a trigger to change; those that are absent stay.' })
export class UpdateTriggerInput {
  @Field(() => JsonObject, {
    nullable: true,
    description: 'Replaces the whole config. The inbound URL stays the same.',
  })
  @IfGiven()
  @IsObject({ message: 'must be an object' })
  config?: TriggerConfig;

  @Field(() => TriggerStatus, { nullable: true, description: '`ACTIVE` or `PAUSED`.' })
  @IfGiven()
  @IsIn(SETTABLE, { message: 'must be ACTIVE or PAUSED' })
  status?: TriggerStatus;

  @Field(() => String, {
    nullable: true,
    description: 'A name for people, 1 to 255 characters. Null removes it.',
  })
  @IsOptional()
  @IsText(1, 255)
  name?: string | null;
}
