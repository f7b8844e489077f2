import {
  Arg,
  Args,
  Authorized,
  createUnionType,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { countsItems, isSelected, type Selection } from '../../platform/graphql/selected-fields.js';
import { DateTime, JsonObject } from '../../platform/graphql/scalars.js';
import { type ConnectService, type ConnectResult } from './connect/connect.service.js';
import { Integration, IntegrationPage } from './integration.entity.js';
import { IntegrationStatusChangePage, type IntegrationStatusChange } from './changes/integration-change.entity.js';
import {
  ConnectIntegrationInput,
  GetIntegrationArgs,
  IntegrationAuthorization,
  IntegrationFilter,
  IntegrationTest,
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

/** Queries, mutations and computed fields of integrations. */
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
      "Lists the account's integrations, newest first. The list includes pending ones, whose OAuth flow is not finished.",
  })
  async integrations(
    @Ctx() context: RequestContext,
    @Args(() => IntegrationFilter) filter: IntegrationFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<IntegrationPage> {
    const asksChange = isSelected(info, 'latestChange');
    const change = asksChange ? { latestChange: await this.service.latestChange(context) } : {};
    return { ...(await this.service.list(context, filter, page, countsItems(info))), ...change };
  }

  @Authorized('follow')
  @Query(() => Integration, {
    description:
      'Gets one integration. With `wait` the response is held for at most that many seconds, until it is no longer `PENDING` and no OAuth flow of it is open, or with `afterVersion` until there is a later version.',
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
      'Connects an integration again. Its id and triggers stay. A working connection keeps working until the new credentials are stored.',
  })
  reconnectIntegration(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('credentials', () => JsonObject, {
      nullable: true,
      description:
        'The fields of a way to connect, e.g. `{ "api_key": "…" }`; of another way than before, they change the way. Left out for OAuth.',
    })
    credentials?: Record<string, unknown> | null,
  ): Promise<ConnectResult> {
    return this.connecting.reconnect(context, id, credentials);
  }

  @Authorized('write')
  @Mutation(() => Integration, {
    description:
      'Changes the name, the reference or the events secret. Neither the status nor the version changes, and listeners receive nothing.',
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
      'Ends the connection and deletes its credentials. The integration stays and can be reconnected. Disconnecting it again changes nothing.',
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
      'Deletes an integration permanently. Its credentials are deleted, and revoked if the application supports that.',
  })
  deleteIntegration(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.delete(context, id);
  }

  @FieldResolver(() => IntegrationStatusChangePage, {
    description:
      'The changes of the integration, newest first: the latest 100 and all of the last 30 days. After the integration is deleted it cannot be read; for 30 days `integrationStatusChanged(integrationId:, afterVersion:)` still sends the changes.',
  })
  history(
    @Ctx() context: RequestContext,
    @Root() integration: Integration,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<IntegrationStatusChange>> {
    return this.links.history(context, integration, args, countsItems(info));
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether an OAuth flow is open, i.e. may still end. The service may end the connection during a reconnect, so a change of the status alone does not mean that the flow has ended. Also true if the integration has changed since this response read it.',
  })
  flowOpen(@Ctx() context: RequestContext, @Root() integration: Integration): Promise<boolean> {
    return this.links.flowOpen(context, integration);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'The application asked to wait until then: no call is made through the integration before. Null if it takes calls. A change of this field is no change of the integration.',
  })
  blockedUntil(@Root() integration: Integration): Date | null {
    return this.links.blockedUntil(integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why the credentials cannot be used, or why `eventsUrl` or `eventsSecret` is null although the integration has one.',
  })
  unreadable(@Ctx() context: RequestContext, @Root() integration: Integration): Promise<string | null> {
    return this.links.unreadable(context, integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The URL to which the application posts events. If the provider posts the events of all its customers to one URL, it is the same for all integrations of the type, once the secret is set. Null for a connect session.',
  })
  eventsUrl(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsUrl(context, integration);
  }

  @FieldResolver(() => EventsProof, {
    nullable: true,
    description: 'How posts to `eventsUrl` are authenticated. Null if the type has no events.',
  })
  eventsProof(@Root() integration: Integration): EventsProof | null {
    return this.links.eventsProof(integration);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The secret to give to the application, if the service generated it: see `eventsProof`. Null for a read-only key and for a connect session.',
  })
  eventsSecret(@Ctx() context: RequestContext, @Root() integration: Integration): string | null {
    return this.links.eventsSecret(context, integration);
  }
}
