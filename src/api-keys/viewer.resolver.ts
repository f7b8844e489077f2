import { Authorized, Ctx, Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { Account } from '../accounts/account.entity.js';
import { type AccountService } from '../accounts/account.service.js';
import { RequestContext } from '../context.js';
import { ApiKey } from './api-key.entity.js';
import { type ApiKeyService } from './api-key.service.js';

@ObjectType({ description: 'Who asks.' })
export class Viewer {
  @Field(() => Account)
  account: Account;

  @Field(() => ApiKey, { nullable: true, description: 'The key that asks, when a key does.' })
  apiKey: ApiKey | null;
}

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly accounts: AccountService,
    private readonly keys: ApiKeyService,
  ) {}

  @Authorized('read')
  @Query(() => Viewer, { description: 'The account, and the key that asks.' })
  viewer(): object {
    return {};
  }

  @FieldResolver()
  account(@Ctx() context: RequestContext): Promise<Account> {
    return this.accounts.current(context);
  }

  @FieldResolver()
  apiKey(@Ctx() context: RequestContext): Promise<ApiKey | null> {
    return this.keys.current(context);
  }
}
