import { IsOptional, Max, Min } from 'class-validator';
import { Args, ArgsType, Authorized, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { IsText } from '../../../platform/validation.js';
import { type CronPreviews } from './cron-preview.js';

/** The most times that one preview returns. */
const MAX_TIMES = 10;

@ArgsType()
export class CronPreviewArgs {
  @Field(() => String, { description: 'Five fields, as in `config.cron` of a schedule.' })
  @IsText(0, 1_000)
  cron: string;

  @Field(() => String, { nullable: true, description: 'An IANA name. Default: UTC.' })
  @IsOptional()
  @IsText(0, 100)
  timezone?: string | null;

  @Field(() => Int, { defaultValue: 5, description: 'The number of times to return, 1 to 10.' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_TIMES, { message: `must be at most ${MAX_TIMES}` })
  count: number;
}

@ObjectType({ description: 'What a cron expression means.', simpleResolvers: true })
export class CronPreview {
  @Field(() => String, { description: 'The expression in English words. They don’t name the time zone.' })
  description: string;

  @Field(() => [DateTime], { description: 'When it fires next, the earliest first.' })
  next: Date[];
}

@Resolver()
export class CronPreviewResolver {
  constructor(private readonly previews: CronPreviews) {}

  @Authorized('read')
  // Two Sundays on a 29 February are 28 years apart.
  @Costs({ each: ({ count }) => timesOf(count) })
  @Query(() => CronPreview, {
    description:
      'Describes a cron expression and returns its next firings. The error for an invalid one says what is wrong.',
  })
  cronPreview(
    @Ctx() context: RequestContext,
    @Args(() => CronPreviewArgs) args: CronPreviewArgs,
  ): Promise<CronPreview> {
    return this.previews.of(context, args);
  }
}

/** The times to search; the most where the count will be refused. */
function timesOf(count: unknown): number {
  return typeof count === 'number' && count >= 1 && count <= MAX_TIMES ? count : MAX_TIMES;
}
