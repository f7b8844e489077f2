import { IsOptional } from 'class-validator';
import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { IsText } from '../../../platform/validation.js';
import { StatisticsBucket } from './bucket-edges.js';

registerEnumType(StatisticsBucket, {
  name: 'StatisticsBucket',
  description: 'What a time is cut into.',
  valuesConfig: {
    HOUR: { description: 'Hours.' },
    DAY: { description: 'Days, on the clocks of the time zone.' },
  },
});

@ArgsType()
export class RunStatisticsArgs {
  @Field(() => DateTime, { description: 'The first bucket is the one that holds this moment.' })
  from: Date;

  @Field(() => DateTime, { nullable: true, description: 'The last bucket ends then or later. Default: now.' })
  to?: Date | null;

  @Field(() => StatisticsBucket, { defaultValue: StatisticsBucket.DAY, description: 'At most 400 are given.' })
  bucket: StatisticsBucket;

  @Field(() => String, { nullable: true, description: 'Where days begin: an IANA name. Default: UTC.' })
  @IsOptional()
  @IsText(0, 100)
  timezone?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only runs of this workflow.' })
  workflowId?: string | null;
}

@ObjectType({ description: 'How many runs there were, by their present status.', simpleResolvers: true })
export class RunCount {
  @Field(() => Int, { description: 'All of them.' })
  total: number;

  @Field(() => Int, { description: 'Runs that have not started.' })
  queued: number;

  @Field(() => Int, { description: 'Runs under way.' })
  running: number;

  @Field(() => Int, { description: 'Runs that succeeded.' })
  succeeded: number;

  @Field(() => Int, { description: 'Runs that failed.' })
  failed: number;

  @Field(() => Int, { description: 'Runs that were canceled.' })
  canceled: number;

  @Field(() => Int, { description: 'Runs that were recorded and not executed.' })
  skipped: number;
}

@ObjectType({ description: 'The runs that were made in one time.', simpleResolvers: true })
export class RunStatisticsBucket extends RunCount {
  @Field(() => DateTime, { description: 'The bucket begins at this moment.' })
  from: Date;

  @Field(() => DateTime, { description: 'The bucket ends before this moment.' })
  to: Date;
}

@ObjectType({ description: 'Runs over time.', simpleResolvers: true })
export class RunStatistics {
  @Field(() => RunCount, { description: 'Of all buckets together.' })
  sum: RunCount;

  @Field(() => [RunStatisticsBucket], { description: 'Ascending and without gaps; empty ones too.' })
  buckets: RunStatisticsBucket[];
}
