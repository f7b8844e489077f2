import { ArrayNotEmpty, IsIn, IsOptional } from 'class-validator';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/scalars.js';
import { wordList } from '../../platform/word-list.js';
import { IfGiven, IsText } from '../../platform/validation.js';
import { EVENT_MEANINGS, TEST_EVENT, WEBHOOK_EVENTS } from './webhook-event-type.js';
import { DeliveryStatus, WebhookStatus } from './webhook-status.js';

const EVENTS = `Types of events.\n\n${wordList(EVENT_MEANINGS)}`;
const URL = 'The URL to which events are posted: http or https, at most 2,000 characters.';
@ArgsType()
export class DeliveryFilter {
  @Field(() => DeliveryStatus, { nullable: true, description: 'Only those in this status.' })
  status?: DeliveryStatus | null;

  @Field(() => String, { nullable: true, description: 'Only those of this type of event, or `webhook.test`.' })
  @IsOptional()
  @IsIn([...WEBHOOK_EVENTS, TEST_EVENT], { message: `must be one of ${[...WEBHOOK_EVENTS, TEST_EVENT].join(', ')}` })
  type?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only deliveries created after this time.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Only deliveries created before this time.' })
  createdBefore?: Date | null;
}

@ArgsType()
export class DeliveriesOfWebhook extends DeliveryFilter {
  @Field(() => ID, { description: 'The webhook to which they are sent.' })
  webhookId: string;
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
  @IfGiven()
  @IsText(1, 2_000)
  url?: string;

  @Field(() => [String], { nullable: true, description: EVENTS })
  @IfGiven()
  @ArrayNotEmpty({ message: 'must not be empty' })
  events?: string[];

  @Field(() => WebhookStatus, { nullable: true, description: 'Disabling ends pending deliveries.' })
  @IfGiven()
  @IsIn(Object.values(WebhookStatus), { message: 'must be ENABLED or DISABLED' })
  status?: WebhookStatus;
}
