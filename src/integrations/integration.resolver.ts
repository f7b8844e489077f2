import {
  Arg,
  Args,
  Authorized,
  createUnionType,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { RequestContext } from '../context.js';
import { type Page, PageArgs } from '../db/pagination.js';
import { JsonObject } from '../scalars.js';
import { type ConnectService, type ConnectResult } from './connect.service.js';
import { Integration, IntegrationPage } from './integration.entity.js';
import { IntegrationStatusChangePage, type IntegrationStatusChange } from './integration-change.entity.js';
import {
  ConnectIntegrationInput,
  GetIntegrationArgs,
  IntegrationAuthorization,
  IntegrationTest,
  ListIntegrationsArgs,
} from './integration.inputs.js';
import { type IntegrationLinks } from './integration.links.js';
import { type IntegrationService } from './integration.service.js';

const ConnectIntegrationResult = createUnionType({
  name: 'ConnectIntegrationResult',
  description: 'The connected integration (API key), or where the user grants access (OAuth).',
  types: () => [Integration, IntegrationAuthorization] as const,
  resolveType: (value) => (value instanceof Integration ? 'Integration' : 'IntegrationAuthorization'),
});

@Resolver(() => Integration)
export class IntegrationResolver {
  constructor(
    private readonly service: IntegrationService,
    private readonly connecting: ConnectService,
    private readonly links: IntegrationLinks,
  ) {}

  @Authorized('read')
  @Query(() => IntegrationPage, { description: "The account's integrations, newest first; pending ones too." })
  integrations(
    @Ctx() context: RequestContext,
    @Args(() => ListIntegrationsArgs) args: ListIntegrationsArgs,
  ): Promise<Page<Integration>> {
    return this.service.list(context, args);
  }

  @Authorized('follow')
  @Query(() => Integration, { description: 'One integration; with `wait` as soon as there is news.' })
  integration(
    @Ctx() context: RequestContext,
    @Args(() => GetIntegrationArgs) args: GetIntegrationArgs,
  ): Promise<Integration> {
    return this.service.get(context, args);
  }

  @Authorized('connect')
  @Mutation(() => ConnectIntegrationResult, {
    description:
      'Starts a connection; one by API key is there at once. Under a connect session what that fixes wins over the input, and starting again goes on with the same integration.',
  })
  connectIntegration(
    @Ctx() context: RequestContext,
    @Arg('input', () => ConnectIntegrationInput) input: ConnectIntegrationInput,
  ): Promise<ConnectResult> {
    return this.connecting.connect(context, input);
  }

  @Authorized('connect')
  @Mutation(() => ConnectIntegrationResult, {
    description: 'Connects the same integration anew; id and triggers stay.',
  })
  reconnectIntegration(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('credentials', () => JsonObject, { nullable: true }) credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    return this.connecting.reconnect(context, id, credentials);
  }

  @Authorized('write')
  @Mutation(() => Integration, { description: 'Ends the connection and forgets its credentials.' })
  disconnectIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Integration> {
    return this.service.disconnect(context, id);
  }

  @Authorized('write')
  @Mutation(() => IntegrationTest, { description: 'Asks the application now whether the credentials work.' })
  testIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<IntegrationTest> {
    return this.service.test(context, id);
  }

  @Authorized('write')
  @Mutation(() => ID, { description: 'Deletes an integration for good.' })
  deleteIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.delete(context, id);
  }

  @FieldResolver(() => IntegrationStatusChangePage, {
    description: 'What happened to it, newest first, for 30 days after its deletion.',
  })
  history(
    @Ctx() context: RequestContext,
    @Root() integration: Integration,
    @Args(() => PageArgs) args: PageArgs,
  ): Promise<Page<IntegrationStatusChange>> {
    return this.links.history(context, integration, args);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where the application posts its events. Null to a connect session.',
  })
  eventsUrl(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsUrl(context, integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What proves those events. Null where they are not signed, to a read-only key and to a connect session.',
  })
  eventsSecret(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsSecret(context, integration);
  }
}
