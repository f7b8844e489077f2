import { Arg, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { Account } from './account.entity.js';
import { UpdateAccountInput } from './account.inputs.js';
import { type AccountService } from './account.service.js';

/** The settings of the account. */
@Resolver(() => Account)
export class AccountResolver {
  constructor(private readonly service: AccountService) {}

  @Authorized('person')
  @Query(() => Account, { description: "Gets the account of the signed-in person. Needs a person's session." })
  account(@Ctx() context: RequestContext): Promise<Account> {
    return this.service.current(context);
  }

  @Authorized('person')
  @Mutation(() => Account, {
    description: "Updates the account. Only the fields that are present change. Needs a person's session.",
  })
  updateAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateAccountInput) input: UpdateAccountInput,
  ): Promise<Account> {
    return this.service.update(context, input);
  }
}
