import { ArrayNotEmpty, IsIn, ValidateIf } from 'class-validator';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { PageArgs } from '../../platform/db/pagination.js';
import { wordList } from '../../platform/word-list.js';
import { IsText } from '../../platform/validation.js';
import { EVENT_MEANINGS } from './webhook-event-type.js';
import { DeliveryStatus, WebhookStatus } from './webhook-status.js';

const EVENTS = `Types of events.\n\n${wordList(EVENT_MEANINGS)}`;
const URL = 'The URL to which events are posted: http or https, at most 2,000 characters.';
const given = (_: unknown, value: unknown): boolean => value !== undefined;

@ArgsType()
export class WebhookDeliveriesArgs extends PageArgs {
  @Field(() => DeliveryStatus, { nullable: true, description: 'Only those in this status.' })
  status?: DeliveryStatus | null;
}

@InputType({ description: 'A new outbound webhook.' })
export class CreateWebhookInput {
  @Field(() => String, { description: URL })
  @IsText(1, 2_000)
  url: string;

  @Field(() => [String], { description: EVENTS })
  @ArrayNotEmpty({ message: 'must not be empty' })
  events: string[];

  @Field(() => ID, {
    nullable: true,
    description: 'Sends only the events of this workflow. Without it: events of all workflows and of integrations.',
  })
  workflowId?: string | null;
}

@InputType({ description: 'The fields of a webhook to change; those that are absent stay.' })
export class UpdateWebhookInput {
  @Field(() => String, { nullable: true, description: URL })
  @ValidateIf(given)
  @IsText(1, 2_000)
  url?: string;

  @Field(() => [String], { nullable: true, description: EVENTS })
  @ValidateIf(given)
  @ArrayNotEmpty({ message: 'must not be empty' })
  events?: string[];

  @Field(() => WebhookStatus, { nullable: true, description: 'Disabling ends pending deliveries.' })
  @ValidateIf(given)
  @IsIn(Object.values(WebhookStatus), { message: 'must be enabled or disabled' })
  status?: WebhookStatus;
}
