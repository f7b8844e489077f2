import { Arg, Args, Authorized, Ctx, Field, ID, Info, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { PageArgs, PageMeta, type Page } from '../../platform/db/pages/pagination.js';
import { RequestContext } from '../../platform/context.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { ApiKey } from './api-key.entity.js';
import { CreateApiKeyInput, RotateApiKeyArgs } from './api-key.inputs.js';
import { type ApiKeyService, type NewApiKey } from './api-key.service.js';

@ObjectType({ description: 'One page of API keys.', simpleResolvers: true })
class ApiKeyPage {
  @Field(() => [ApiKey], { description: 'The API keys of this page.' })
  items: ApiKey[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}

@ObjectType({ description: 'A key that was just created.', simpleResolvers: true })
class CreatedApiKey {
  @Field(() => ApiKey, { description: 'The key as it is listed from now on.' })
  apiKey: ApiKey;

  @Field(() => String, { description: 'The key itself: shown here, once, and nowhere else.' })
  secret: string;
}

/** Only a person may manage keys: a key can't create keys. */
@Resolver(() => ApiKey)
export class ApiKeyResolver {
  constructor(private readonly service: ApiKeyService) {}

  @Authorized('person')
  @Query(() => ApiKeyPage, {
    description:
      "Lists the account's API keys, newest first. The keys themselves are never shown again. Needs a person's session.",
  })
  apiKeys(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<ApiKey>> {
    return this.service.page(context, args, countsItems(info));
  }

  @Authorized('person')
  @Mutation(() => CreatedApiKey, {
    description:
      "Creates an API key. The key itself is shown in this response, once, and nowhere else. An account has at most 10,000 keys that are neither revoked nor expired. Needs a person's session.",
  })
  createApiKey(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ): Promise<NewApiKey> {
    return this.service.create(context.accountId, input);
  }

  @Authorized('person')
  @Mutation(() => CreatedApiKey, {
    description:
      "Replaces an API key by a new one. The old key still works for the hours of the overlap. Needs a person's session.",
  })
  rotateApiKey(
    @Ctx() context: RequestContext,
    @Args(() => RotateApiKeyArgs) args: RotateApiKeyArgs,
  ): Promise<NewApiKey> {
    return this.service.rotate(context.accountId, args.id, args.overlapHours);
  }

  @Authorized('person')
  @Mutation(() => ApiKey, {
    description: "Revokes an API key. The key is refused from now on. Needs a person's session.",
  })
  revokeApiKey(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<ApiKey> {
    return this.service.revoke(context.accountId, id);
  }
}
