import { IsIn, IsObject } from 'class-validator';
import { IfGiven } from '../../platform/validation.js';
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
}
