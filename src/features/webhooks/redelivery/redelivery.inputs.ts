import { IsIn, IsOptional } from 'class-validator';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { DeliveryStatus } from '../webhook-status.js';

@InputType({ description: 'The deliveries of a webhook to send again.' })
export class RedeliveryInput {
  @Field(() => DateTime, {
    description: 'Only events that were first sent at this time or later, at most 30 days ago.',
  })
  since: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only events that were first sent before this time. Absent: now.',
  })
  until?: Date | null;

  @Field(() => DeliveryStatus, {
    nullable: true,
    description:
      '`FAILED`: only events that did not arrive; of the pending ones those with a failed attempt. Absent: all events.',
  })
  @IsOptional()
  @IsIn([DeliveryStatus.FAILED], { message: 'must be FAILED' })
  status?: DeliveryStatus | null;
}

@ObjectType({ description: 'Deliveries that are being sent again.' })
export class WebhookRedelivery {
  @Field(() => Int, { simple: true, description: 'How many deliveries match.' })
  deliveries: number;
}
