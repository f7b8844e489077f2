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
import { RequestContext } from '../../platform/context.js';
import { type Page, PageArgs } from '../../platform/db/pagination.js';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { type ConnectService, type ConnectResult } from './connect/connect.service.js';
import { Integration, IntegrationPage } from './integration.entity.js';
import { IntegrationStatusChangePage, type IntegrationStatusChange } from './changes/integration-change.entity.js';
import {
  ConnectIntegrationInput,
  GetIntegrationArgs,
  IntegrationAuthorization,
  IntegrationTest,
  ListIntegrationsArgs,
  UpdateIntegrationInput,
} from './integration.inputs.js';
import { EventsProof } from './events-secret.js';
import { type IntegrationLinks } from './integration.links.js';
import { type IntegrationService } from './integration.service.js';
import { type IntegrationSettings } from './integration-settings.js';

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
    private readonly settings: IntegrationSettings,
  ) {}

  @Authorized('read')
  @Query(() => IntegrationPage, {
    description:
      "Lists the account's integrations, newest first. Pending ones, whose OAuth flow is under way, are in the list too.",
  })
  integrations(
    @Ctx() context: RequestContext,
    @Args(() => ListIntegrationsArgs) args: ListIntegrationsArgs,
  ): Promise<Page<Integration>> {
    return this.service.list(context, args);
  }

  @Authorized('follow')
  @Query(() => Integration, {
    description:
      'Gets one integration. With `wait` the response is held until the status is no longer `PENDING`, or with `afterVersion` until there is a later version, at most that many seconds.',
  })
  integration(
    @Ctx() context: RequestContext,
    @Args(() => GetIntegrationArgs) args: GetIntegrationArgs,
  ): Promise<Integration> {
    return this.service.get(context, args);
  }

  @Authorized('connect')
  @Mutation(() => ConnectIntegrationResult, {
    description:
      'Starts a connection to an application. With an API key, the application is asked whether it accepts the key, and the integration is connected at once. With OAuth, the response has the URL where the user grants access, and the integration is pending until then. Under a connect session, the values that the session fixes win over the input, a type other than that of the session is forbidden, and starting again continues with the same integration. A session to reconnect may not use it.',
  })
  connectIntegration(
    @Ctx() context: RequestContext,
    @Arg('input', () => ConnectIntegrationInput) input: ConnectIntegrationInput,
  ): Promise<ConnectResult> {
    return this.connecting.connect(context, input);
  }

  @Authorized('reconnect')
  @Mutation(() => ConnectIntegrationResult, {
    description:
      'Connects an integration again; its id and triggers stay. A working connection keeps working until the new credentials are there.',
  })
  reconnectIntegration(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('credentials', () => JsonObject, {
      nullable: true,
      description: 'For API-key types: `{ "api_key": "…" }`. Left out for OAuth types.',
    })
    credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    return this.connecting.reconnect(context, id, credentials);
  }

  @Authorized('write')
  @Mutation(() => Integration, {
    description:
      'Changes the name, the reference or the secret of the events. The connection, its version and those who listen to it are not concerned.',
  })
  updateIntegration(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateIntegrationInput) input: UpdateIntegrationInput,
  ): Promise<Integration> {
    return this.settings.update(context, id, input);
  }

  @Authorized('write')
  @Mutation(() => Integration, {
    description:
      'Ends the connection and forgets its credentials. The integration stays and can be reconnected. Disconnecting it again changes nothing.',
  })
  disconnectIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Integration> {
    return this.service.disconnect(context, id);
  }

  @Authorized('write')
  @Mutation(() => IntegrationTest, {
    description:
      'Asks the application now whether the credentials work. A key that it refuses disconnects the integration; a token that it refuses, also after a renewal, expires it. An application that cannot be asked changes nothing.',
  })
  testIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<IntegrationTest> {
    return this.service.test(context, id);
  }

  @Authorized('write')
  @Mutation(() => ID, {
    description:
      'Deletes an integration for good. Its credentials are forgotten, and revoked where the application offers that.',
  })
  deleteIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.delete(context, id);
  }

  @FieldResolver(() => IntegrationStatusChangePage, {
    description:
      'What happened to it, newest first: the latest 100 changes and all of the last 30 days. Gone 30 days after its deletion.',
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
    description:
      'Why its credentials cannot be used, or why `eventsUrl` or `eventsSecret` is null although it has one.',
  })
  unreadable(@Ctx() context: RequestContext, @Root() integration: Integration): Promise<string | null> {
    return this.links.unreadable(context, integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where the application posts its events. One address for all integrations of a type whose provider has one address for each application, once its secret is set. Null to a connect session.',
  })
  eventsUrl(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsUrl(context, integration);
  }

  @FieldResolver(() => EventsProof, {
    nullable: true,
    description: 'What proves those events. Null where the type has none.',
  })
  eventsProof(@Root() integration: Integration): EventsProof | null {
    return this.links.eventsProof(integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The secret to give to the application, where the service makes the one that proves its events: see `eventsProof`. Null to a read-only key and to a connect session.',
  })
  eventsSecret(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsSecret(context, integration);
  }
}
