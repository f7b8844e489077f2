import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import { type RequestContext } from '../../../platform/context.js';
import { type ApplicationCalls } from './application-calls.js';
import { ApplicationResponse, CallApplicationInput } from './call.inputs.js';

@Resolver()
export class CallResolver {
  constructor(private readonly calls: ApplicationCalls) {}

  @Authorized('write')
  @Mutation(() => ApplicationResponse, {
    description:
      'Calls a connected application once, with its credentials, and returns its response, whatever the status. After a 401 the token is renewed and the call repeated. While the application asks to wait (`blockedUntil`), nothing is sent and the call fails, as it does without a response within 30 seconds.',
  })
  callApplication(
    @Ctx() context: RequestContext,
    @Arg('input', () => CallApplicationInput) input: CallApplicationInput,
  ): Promise<ApplicationResponse> {
    return this.calls.call(context, input);
  }
}
