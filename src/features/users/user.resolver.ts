import { Arg, Args, Authorized, Ctx, Field, ID, Info, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { type Page, PageArgs, PageMeta } from '../../platform/db/pages/pagination.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { User } from './user.entity.js';
import { UpdateProfileArgs } from './user.inputs.js';
import { type UserService } from './user.service.js';

@ObjectType({ description: 'One page of users.', simpleResolvers: true })
class UserPage {
  @Field(() => [User], { description: 'The users of this page.' })
  items: User[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}

/** Only users may manage users, not API keys. */
@Resolver(() => User)
export class UserResolver {
  constructor(private readonly service: UserService) {}

  @Authorized('person')
  @Query(() => UserPage, { description: "The account's users, newest first. Needs a person's session." })
  users(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<User>> {
    return this.service.page(context, args, countsItems(info));
  }

  @Authorized('person')
  @Mutation(() => User, { description: "Renames the signed-in user. Needs a person's session." })
  updateProfile(@Ctx() context: RequestContext, @Args(() => UpdateProfileArgs) args: UpdateProfileArgs): Promise<User> {
    return this.service.rename(context, args.name);
  }

  @Authorized('person')
  @Mutation(() => ID, {
    description:
      "Removes a user and ends their sessions at once. You can remove yourself. The last user of an account cannot be removed. Returns the id. Needs a person's session.",
  })
  removeUser(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.remove(context, id);
  }
}
