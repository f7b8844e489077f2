import {
  Arg,
  Args,
  Authorized,
  Field,
  FieldResolver,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { offsetOf, type Page, PageMeta, toPage } from '../../platform/db/pagination.js';
import { notFound } from '../../platform/errors.js';
import { type App } from './apps/app.js';
import { type AppRegistry } from './apps/registry.js';
import { Integration } from './integration.entity.js';
import { ListIntegrationTypesArgs } from './integration.inputs.js';

const AuthKind = { OAUTH2: 'oauth2', API_KEY: 'api_key' } as const;
registerEnumType(AuthKind, {
  name: 'AuthKind',
  description: 'How an integration type is connected.',
  valuesConfig: {
    OAUTH2: { description: 'The user grants access in the browser (OAuth 2.0).' },
    API_KEY: { description: 'With a key that the application issued.' },
  },
});

/** See `AppParameter` in `apps/app.ts`. */
@ObjectType({ description: 'A value that is needed to connect.', simpleResolvers: true })
export class AppParameter {
  @Field(() => String, { description: 'The key in `parameters` when an integration is connected.' })
  name: string;

  @Field(() => String, { description: 'A sentence for people.' })
  description: string;

  @Field(() => String, { description: 'A regular expression that the whole value must match.' })
  pattern: string;
}

/** An `App` as the API shows it, with the state of its configuration. */
@ObjectType({ description: 'An application that can be connected.', simpleResolvers: true })
export class IntegrationType {
  @Field(() => String, { description: 'The name of the application in lower case with underscores.' })
  type: string;

  @Field(() => String, { description: 'The name of the application, for people.' })
  name: string;

  @Field(() => AuthKind, { description: 'How the application is connected.' })
  auth: 'oauth2' | 'api_key';

  @Field(() => Boolean, {
    description: 'False for an OAuth application without a client: the operator has to set one.',
  })
  configured: boolean;

  @Field(() => [String], { description: 'The requested scopes.' })
  scopes: readonly string[];

  @Field(() => [String], { description: 'The events that an app_event trigger can name.' })
  events: readonly string[];

  @Field(() => [AppParameter], {
    description: 'The values, e.g. a subdomain, that are needed to connect.',
  })
  parameters: readonly AppParameter[];

  @Authorized('read')
  @Field(() => String, {
    simple: false,
    description:
      'The base URL for the path of an app_request; `{name}` stands for a parameter of the connection. Forbidden for connect sessions.',
  })
  apiBaseUrl: string;

  @Field(() => String, { nullable: true, description: 'Where its endpoints are documented.' })
  documentationUrl: string | null;
}

@ObjectType({ description: 'One page of integration types.', simpleResolvers: true })
class IntegrationTypePage {
  @Field(() => [IntegrationType], { description: 'The integration types of this page.' })
  items: IntegrationType[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}

/** The catalog of applications. It is the same for every account. */
@Resolver(() => IntegrationType)
export class IntegrationTypeResolver {
  constructor(private readonly apps: AppRegistry) {}

  @Authorized('follow')
  @Query(() => IntegrationTypePage, {
    description:
      'Lists the applications that can be connected, by name. OAuth applications that the operator has not configured yet are in the list too.',
  })
  integrationTypes(@Args(() => ListIntegrationTypesArgs) args: ListIntegrationTypesArgs): Page<IntegrationType> {
    const found = args.search ? this.apps.search(args.search) : this.apps.list();
    const page = found.slice(offsetOf(args), offsetOf(args) + args.perPage);
    return toPage(
      page.map((app) => describe(this.apps, app)),
      found.length,
      args,
    );
  }

  @Authorized('follow')
  @Query(() => IntegrationType, { description: 'One application that can be connected.' })
  integrationType(
    @Arg('type', () => String, { description: 'The name of the application in lower case with underscores.' })
    type: string,
  ): IntegrationType {
    const app = this.apps.get(type);
    if (app === undefined) throw notFound('integration type');
    return describe(this.apps, app);
  }
}

/** The field `Integration.integrationType`. */
@Resolver(() => Integration)
export class TypeOfIntegrationResolver {
  constructor(private readonly apps: AppRegistry) {}

  @FieldResolver(() => IntegrationType, {
    nullable: true,
    description: 'The integration type; null if the service no longer offers it.',
  })
  integrationType(@Root() { type }: Integration): IntegrationType | null {
    const app = this.apps.get(type);
    return app === undefined ? null : describe(this.apps, app);
  }
}

function describe(apps: AppRegistry, app: App): IntegrationType {
  const { type, name, auth, events, parameters, apiBaseUrl, documentationUrl } = app;
  return {
    type,
    name,
    auth: auth.kind,
    configured: apps.isConfigured(app),
    scopes: auth.kind === 'oauth2' ? auth.scopes : [],
    events,
    parameters,
    apiBaseUrl,
    documentationUrl,
  };
}
