import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../context.js';
import { CreateConnectSessionInput, NewConnectSession } from './connect-session.inputs.js';
import { type ConnectSessions } from './connect-session.service.js';

@Resolver()
export class ConnectSessionResolver {
  constructor(private readonly sessions: ConnectSessions) {}

  @Authorized('write')
  @Mutation(() => NewConnectSession, {
    description:
      'Makes a token for a browser that must not hold an API key: one connection, which may be tried again and be awaited until the session ends.',
  })
  createConnectSession(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateConnectSessionInput) input: CreateConnectSessionInput,
  ): Promise<NewConnectSession> {
    return this.sessions.create(context, input);
  }
}
