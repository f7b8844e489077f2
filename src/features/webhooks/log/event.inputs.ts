import { ArrayMaxSize, ArrayNotEmpty, IsIn, IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, Int } from 'type-graphql';
import { TOO_MANY_EVENTS, WEBHOOK_EVENTS } from '../webhook-event-type.js';

const AFTER =
  'Only events behind the one with this id. `evt_00000000000000000000000000` stands before all that are kept. A log that does not have the event any more responds with an error (410 over REST).';

/** Types of events, if any are given. */
function IsTypes(): PropertyDecorator {
  return (target, key) => {
    IsOptional()(target, key);
    ArrayNotEmpty({ message: 'must not be empty' })(target, key);
    ArrayMaxSize(WEBHOOK_EVENTS.length, { message: TOO_MANY_EVENTS })(target, key);
    IsIn(WEBHOOK_EVENTS, { each: true, message: `must be of ${WEBHOOK_EVENTS.join(', ')}` })(target, key);
  };
}

/** The size of a list. */
function IsLimit(): PropertyDecorator {
  return (target, key) => {
    Min(1, { message: 'must be at least 1' })(target, key);
    Max(100, { message: 'must be at most 100' })(target, key);
  };
}

@ArgsType()
export class FollowedEvents {
  @Field(() => ID, { nullable: true, description: AFTER })
  after?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only events of these types.' })
  @IsTypes()
  types?: string[] | null;
}

@ArgsType()
export class RecentEvents {
  @Field(() => ID, { nullable: true, description: 'Only events before the one with this id.' })
  before?: string | null;

  @Field(() => [String], { nullable: true, description: 'Only events of these types.' })
  @IsTypes()
  types?: string[] | null;

  @Field(() => Int, { defaultValue: 20, description: 'The most events of the list, 1 to 100.' })
  @IsLimit()
  limit: number;
}

@ArgsType()
export class ListedEvents extends FollowedEvents {
  @Field(() => Int, { defaultValue: 20, description: 'The most events of the list, 1 to 100.' })
  @IsLimit()
  limit: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds, 1 to 30, to hold the response while there is no such event.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(30, { message: 'must be at most 30' })
  wait?: number | null;
}
