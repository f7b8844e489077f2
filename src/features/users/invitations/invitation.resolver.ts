import { Arg, Args, Authorized, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { type Page, PageArgs, PageMeta } from '../../../platform/db/pagination.js';
import { Invitation } from './invitation.entity.js';
import { type InvitationService } from './invitation.service.js';

@ObjectType({ description: 'One page of invitations.', simpleResolvers: true })
class InvitationPage {
  @Field(() => [Invitation], { description: 'The invitations of this page.' })
  items: Invitation[];

  @Field(() => PageMeta, { description: 'The place of this page in the list.' })
  meta: PageMeta;
}

@Resolver(() => Invitation)
export class InvitationResolver {
  constructor(private readonly service: InvitationService) {}

  @Authorized('person')
  @Query(() => InvitationPage, { description: "Invitations that still work, newest first. Needs a person's session." })
  invitations(@Ctx() context: RequestContext, @Args(() => PageArgs) args: PageArgs): Promise<Page<Invitation>> {
    return this.service.page(context, args);
  }

  @Authorized('person')
  @Mutation(() => Invitation, {
    description:
      "Mails a link that makes a user of the account, and gives back another one to hand over; the first used voids the other. They work for 7 days, and void earlier ones to the address. One address gets three at once from an account, then one each 20 minutes. Needs a person's session.",
  })
  inviteUser(
    @Ctx() context: RequestContext,
    @Arg('email', () => String, { description: 'The address that the link is mailed to.' }) email: string,
  ): Promise<Invitation> {
    return this.service.invite(context, email);
  }

  @Authorized('person')
  @Mutation(() => ID, { description: "Voids an invitation's link. Gives the id back. Needs a person's session." })
  revokeInvitation(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<string> {
    return this.service.revoke(context, id);
  }
}
