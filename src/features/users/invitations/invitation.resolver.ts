import { Arg, Args, Authorized, Ctx, Field, ID, Info, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { type Page, PageArgs, PageMeta } from '../../../platform/db/pages/pagination.js';
import { countsItems, type Selection } from '../../../platform/graphql/selected-fields.js';
import { Invitation } from './invitation.entity.js';
import { type InvitationService } from './invitation.service.js';

@ObjectType({ description: 'One page of invitations.', simpleResolvers: true })
class InvitationPage {
  @Field(() => [Invitation], { description: 'The invitations of this page.' })
  items: Invitation[];

  @Field(() => PageMeta, { description: 'The position of this page in the list.' })
  meta: PageMeta;
}

@Resolver(() => Invitation)
export class InvitationResolver {
  constructor(private readonly service: InvitationService) {}

  @Authorized('person')
  @Query(() => InvitationPage, { description: "Invitations that still work, newest first. Needs a person's session." })
  invitations(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Invitation>> {
    return this.service.page(context, args, countsItems(info));
  }

  @Authorized('person')
  @Mutation(() => Invitation, {
    description:
      "Invites a person to become a user of the account: mails a link, and returns another one to pass on. Using one voids the other. Both work for 7 days and void earlier invitations to the address. An account may invite an address three times at once, then once every 20 minutes, and mail 100 invitations at once, then one every 15 minutes. It has at most 1,000 users and open invitations together. Needs a person's session.",
  })
  inviteUser(
    @Ctx() context: RequestContext,
    @Arg('email', () => String, { description: 'The address that the link is mailed to.' }) email: string,
  ): Promise<Invitation> {
    return this.service.invite(context, email);
  }

  @Authorized('person')
  @Mutation(() => ID, { description: "Voids the links of an invitation. Returns its id. Needs a person's session." })
  revokeInvitation(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.revoke(context, id);
  }
}
