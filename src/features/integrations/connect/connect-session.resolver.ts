import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { CreateConnectSessionInput, NewConnectSession } from './connect-session.inputs.js';
import { type ConnectSessions } from './connect-session.service.js';

/** The mutation that creates connect sessions. */
@Resolver()
export class ConnectSessionResolver {
  constructor(private readonly sessions: ConnectSessions) {}

  @Authorized('write')
  @Mutation(() => NewConnectSession, {
    description:
      'Creates a token for a browser that must not hold an API key. The token may start one connection, try it again and await it until the session expires. `connectUrl` is a page that does the same for a person.',
  })
  createConnectSession(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateConnectSessionInput) input: CreateConnectSessionInput,
  ): Promise<NewConnectSession> {
    return this.sessions.create(context, input);
  }
}
