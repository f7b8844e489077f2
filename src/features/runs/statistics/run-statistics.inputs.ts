import { IsOptional } from 'class-validator';
import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Costs } from '../../../platform/graphql/field-cost.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { IsText } from '../../../platform/validation.js';
import { StatisticsBucket } from './bucket-edges.js';

registerEnumType(StatisticsBucket, {
  name: 'StatisticsBucket',
  description: 'The length of a bucket.',
  valuesConfig: {
    HOUR: { description: 'Hours.' },
    DAY: { description: 'Days of the time zone.' },
  },
});

@ArgsType()
export class StatisticsArgs {
  @Field(() => DateTime, { description: 'The first bucket contains this time.' })
  from: Date;

  @Field(() => DateTime, { nullable: true, description: 'The last bucket ends at this time or later. Default: now.' })
  to?: Date | null;

  @Field(() => StatisticsBucket, { defaultValue: StatisticsBucket.DAY, description: 'At most 400 buckets.' })
  bucket: StatisticsBucket;

  @Field(() => String, { nullable: true, description: 'The time zone of the days: an IANA name. Default: UTC.' })
  @IsOptional()
  @IsText(0, 100)
  timezone?: string | null;
}

@ArgsType()
export class RunStatisticsArgs extends StatisticsArgs {
  @Field(() => ID, { nullable: true, description: 'Only runs of this workflow.' })
  workflowId?: string | null;
}

@ObjectType({ description: 'Numbers of runs by their current status.', simpleResolvers: true })
export class RunCount {
  @Field(() => Int, { description: 'All runs.' })
  total: number;

  @Field(() => Int, { description: 'Runs that have not started.' })
  queued: number;

  @Field(() => Int, { description: 'Runs that are being executed, or wait for a time.' })
  running: number;

  @Field(() => Int, { description: 'Runs that wait for something outside.' })
  waiting: number;

  @Field(() => Int, { description: 'Runs that succeeded.' })
  succeeded: number;

  @Field(() => Int, { description: 'Runs that failed.' })
  failed: number;

  @Field(() => Int, { description: 'Runs that were canceled.' })
  canceled: number;

  @Field(() => Int, { description: 'Runs that were recorded but not executed.' })
  skipped: number;
}

@ObjectType({ description: 'Numbers of the runs created in one bucket of time.', simpleResolvers: true })
export class RunStatisticsBucket extends RunCount {
  @Field(() => DateTime, { description: 'The bucket begins at this time.' })
  from: Date;

  @Field(() => DateTime, { description: 'The bucket ends before this time.' })
  to: Date;
}

@ObjectType({ description: 'Numbers of runs over time.', simpleResolvers: true })
export class RunStatistics {
  @Field(() => RunCount, { description: 'The sum of all buckets.' })
  sum: RunCount;

  // Counted by the field that has the period.
  @Costs({ items: 1 })
  @Field(() => [RunStatisticsBucket], { description: 'Ascending and without gaps, including empty buckets.' })
  buckets: readonly RunStatisticsBucket[];
}
