import { Arg, Args, Authorized, Ctx, Field, FieldResolver, ObjectType, Query, Resolver, Root } from 'type-graphql';
import {
  demandFirstPage,
  limitOf,
  offsetOf,
  type Page,
  type PageArgs,
  PageMeta,
  toPage,
} from '../../platform/db/pages/pagination.js';
import { notFound, validationError } from '../../platform/errors.js';
import { RequestContext } from '../../platform/context.js';
import { Costs } from '../../platform/graphql/field-cost.js';
import { wordList } from '../../platform/word-list.js';
import { type App, authOf } from './apps/app.js';
import { CATEGORIES, type Category } from './apps/categories.js';
import { categoryOf } from './apps/index.js';
import { type AppRegistry } from './apps/registry.js';
import { AuthKind } from './auth-kind.js';
import { CREDENTIAL_FIELDS } from './connect/ways/credential-fields.js';
import { Integration } from './integration.entity.js';
import { type IntegrationService } from './integration.service.js';
import { ListIntegrationTypesArgs } from './integration.inputs.js';

/** What the operator's lists of an application have on average: no caller makes them longer. */
const FEW = 2;

/** An `AppParameter` of `apps/app.ts` as the API shows it. */
@ObjectType({ description: 'A value that an application needs to connect.', simpleResolvers: true })
export class AppParameter {
  @Field(() => String, { description: 'The key in `parameters` when an integration is connected.' })
  name: string;

  @Field(() => String, { description: 'A sentence for people.' })
  description: string;

  @Field(() => String, { description: 'A regular expression that the whole value must match.' })
  pattern: string;

  @Field(() => String, { nullable: true, description: 'The value if none is given. Null: a value is required.' })
  default: string | null;

  @Field(() => [String], { description: 'The only possible values, if there are few, e.g. regions.' })
  choices: readonly string[];
}

/** A `CredentialField` as the API shows it. */
@ObjectType({ description: 'One of the credentials that a way to connect needs.', simpleResolvers: true })
export class CredentialField {
  @Field(() => String, { description: 'The key in `credentials` when an integration is connected.' })
  name: string;

  @Field(() => String, { description: 'A few words for people.' })
  description: string;

  @Field(() => Boolean, { description: 'Whether it must not be shown while it is typed.' })
  secret: boolean;
}

/** A way to connect an `App` as the API shows it. */
@ObjectType({ description: 'A way to connect an application.', simpleResolvers: true })
export class IntegrationTypeAuth {
  @Field(() => AuthKind, { description: 'The kind, to choose the way in `auth` when an integration is connected.' })
  kind: AuthKind;

  @Field(() => Boolean, { description: 'False for OAuth without a client: the operator has to set one.' })
  configured: boolean;

  @Field(() => [String], { description: 'The requested scopes.' })
  scopes: readonly string[];

  @Costs({ items: FEW })
  @Field(() => [CredentialField], { description: 'The credentials that the client sends. Empty for OAuth.' })
  fields: readonly CredentialField[];
}

/** An `App` as the API shows it, with the state of its configuration. */
@ObjectType({ description: 'An application that can be connected.', simpleResolvers: true })
export class IntegrationType {
  @Field(() => String, { description: 'The name of the application in lower case with underscores.' })
  type: string;

  @Field(() => String, { description: 'The name of the application, for people.' })
  name: string;

  @Field(() => String, {
    nullable: true,
    description: `The category in the catalog; null for the sandbox and for applications of the operator.\n\n${wordList(CATEGORIES)}`,
  })
  category: Category | null;

  @Field(() => AuthKind, { description: 'The preferred way to connect the application.' })
  auth: AuthKind;

  @Costs({ items: FEW })
  @Field(() => [IntegrationTypeAuth], { description: 'The ways to connect the application, the preferred one first.' })
  auths: readonly IntegrationTypeAuth[];

  @Field(() => Boolean, {
    description: 'False if no way works yet: for OAuth without a client, the operator has to set one.',
  })
  configured: boolean;

  @Field(() => [String], { description: 'The scopes that OAuth requests.' })
  scopes: readonly string[];

  @Field(() => [String], { description: 'The events that an app_event trigger can name.' })
  events: readonly string[];

  @Costs({ items: FEW })
  @Field(() => [AppParameter], {
    description: 'The values, e.g. a subdomain, that are needed to connect.',
  })
  parameters: readonly AppParameter[];

  @Authorized('read')
  @Field(() => String, {
    simple: false,
    description:
      'The base URL for the path of an app_request; `{name}` stands for a parameter of the connection, or for a value that the application named when it issued the tokens, e.g. the host of its API. Forbidden for connect sessions.',
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
  constructor(
    private readonly apps: AppRegistry,
    private readonly integrations: IntegrationService,
  ) {}

  @Authorized('read')
  @FieldResolver(() => Boolean, {
    description: 'Whether the account has an integration of this type. Forbidden for connect sessions.',
  })
  inUse(@Root() { type }: IntegrationType, @Ctx() context: RequestContext): Promise<boolean> {
    return context.batch(this, type, async (types) => {
      const used = await this.integrations.typesInUse(context);
      return types.map((one) => used.has(one));
    });
  }

  @Authorized('follow')
  @Query(() => IntegrationTypePage, {
    description:
      'Lists the applications that can be connected, by name. OAuth applications that the operator has not configured yet are in the list too.',
  })
  integrationTypes(@Args(() => ListIntegrationTypesArgs) args: ListIntegrationTypesArgs): Page<IntegrationType> {
    const found = args.search ? this.apps.search(args.search) : this.apps.list();
    const rest = args.after == null ? found.slice(offsetOf(args)) : this.behind(args.after, found, args);
    const rows = rest.slice(0, limitOf(args)).map((app) => describe(this.apps, app));
    return toPage(rows, found.length, args, ({ type }) => type);
  }

  private behind(after: string, found: readonly App[], { page }: PageArgs): App[] {
    demandFirstPage(page);
    const all = this.apps.list();
    const place = all.findIndex(({ type }) => type === after);
    if (place < 0) throw validationError({ field: 'after', message: 'must be an integration type' });
    const rest = new Set(all.slice(place + 1));
    return found.filter((app) => rest.has(app));
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
  const { type, name, events, parameters, apiBaseUrl, documentationUrl } = app;
  return {
    type,
    name,
    category: categoryOf(type),
    auth: app.auths[0]!.kind,
    auths: app.auths.map((auth) => ({
      kind: auth.kind,
      configured: apps.isAuthConfigured(app, auth.kind),
      scopes: 'scopes' in auth ? auth.scopes : [],
      fields: CREDENTIAL_FIELDS[auth.kind],
    })),
    configured: apps.isConfigured(app),
    scopes: authOf(app, 'oauth2')?.scopes ?? [],
    events,
    parameters: parameters.map(({ choices, ...rest }) => ({ ...rest, choices: Object.keys(choices ?? {}) })),
    apiBaseUrl,
    documentationUrl,
  };
}
