import { Max, Min } from 'class-validator';
import { Args, ArgsType, Authorized, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { Trigger } from '../trigger.entity.js';
import { type UpcomingFirings } from './upcoming-firings.js';

@ArgsType()
export class UpcomingFiringsArgs {
  @Field(() => Int, { defaultValue: 5, description: 'The number of schedules to return, 1 to 50.' })
  @Min(1, { message: 'must be at least 1' })
  @Max(50, { message: 'must be at most 50' })
  first: number;
}

@ObjectType({ description: 'A schedule and when it fires next.', simpleResolvers: true })
export class UpcomingFiring {
  @Field(() => DateTime, { description: 'The next tick of the schedule.' })
  at: Date;

  @Field(() => Trigger, { description: 'The schedule.' })
  trigger: Trigger;
}

@Resolver()
export class UpcomingFiringsResolver {
  constructor(private readonly firings: UpcomingFirings) {}

  @Authorized('read')
  @Query(() => [UpcomingFiring], {
    description:
      "The account's schedules that fire next, earliest first, each with its next tick. Includes only active schedules of active workflows.",
  })
  upcomingFirings(
    @Ctx() context: RequestContext,
    @Args(() => UpcomingFiringsArgs) { first }: UpcomingFiringsArgs,
  ): Promise<UpcomingFiring[]> {
    return this.firings.next(context, first);
  }
}
