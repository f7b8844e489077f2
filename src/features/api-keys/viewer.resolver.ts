import { Authorized, Ctx, Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { Account } from '../accounts/account.entity.js';
import { type AccountService } from '../accounts/account.service.js';
import { RequestContext } from '../../platform/context.js';
import { User } from '../users/user.entity.js';
import { type UserService } from '../users/user.service.js';
import { ApiKey } from './api-key.entity.js';
import { type ApiKeyService } from './api-key.service.js';

@ObjectType({ description: 'The caller of this request.' })
class Viewer {
  @Field(() => Account, { description: 'The account of the caller.' })
  account: Account;

  @Field(() => ApiKey, { nullable: true, description: 'The API key of the request; null if a person sent it.' })
  apiKey: ApiKey | null;

  @Field(() => User, { nullable: true, description: 'The person who sent the request; null for an API key.' })
  user: User | null;

  @Field(() => Boolean, { description: 'Whether the person has a password to sign in with; false for a key.' })
  hasPassword: boolean;
}

/** Each field is loaded only when it is selected. */
@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly accounts: AccountService,
    private readonly keys: ApiKeyService,
    private readonly users: UserService,
  ) {}

  @Authorized('read')
  @Query(() => Viewer, { description: 'The account of the caller, and the key or person that sent the request.' })
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

  @FieldResolver()
  user(@Ctx() context: RequestContext): Promise<User | null> {
    return this.users.current(context);
  }

  @FieldResolver()
  hasPassword(@Ctx() context: RequestContext): Promise<boolean> {
    return this.users.hasPassword(context);
  }
}
