import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { Run } from '../runs/run.entity.js';
import { type RunService } from '../runs/run.service.js';
import { Trigger } from './trigger.entity.js';

/** The newest run of each trigger in a list, without counting runs. */
@Resolver(() => Trigger)
export class TriggerLastRunLink {
  constructor(private readonly runs: RunService) {}

  @FieldResolver(() => Run, {
    nullable: true,
    description: 'The newest run that the trigger started, or was to start; null without runs.',
  })
  lastRun(@Root() trigger: Trigger, @Ctx() context: RequestContext): Promise<Run | null> {
    return context.batch(this, trigger.uuid, (uuids) => this.runs.lastOfTriggers(context, uuids));
  }
}
