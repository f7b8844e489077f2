import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { RedeliveryInput, WebhookRedelivery } from './redelivery.inputs.js';
import { type RedeliveryService } from './redelivery.service.js';

/** The mutation that sends the deliveries of a range of time again. */
@Resolver()
export class RedeliveryResolver {
  constructor(private readonly service: RedeliveryService) {}

  @Authorized('write')
  @Mutation(() => WebhookRedelivery, {
    description:
      'Sends the events of a range of time to a webhook again, e.g. after an outage of the receiver: those that were sent to it then, each once and with its `webhook-id`. They are sent in the background; a delivery that is still pending is attempted at once. At most 100,000 deliveries may match.',
  })
  redeliverWebhook(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RedeliveryInput) input: RedeliveryInput,
  ): Promise<WebhookRedelivery> {
    return this.service.start(context, id, input);
  }
}
