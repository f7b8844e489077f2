import { Arg, Authorized, Ctx, FieldResolver, ID, Info, Resolver, Root, Subscription } from 'type-graphql';
import { type Selection } from '../../../platform/graphql/selected-fields.js';
import { RequestContext } from '../../../platform/context.js';
import { instanceOf } from '../../../platform/graphql/resolver-instances.js';
import { inputPart } from '../run-columns.js';
import { RunStatusChange } from './run-change.js';
import { Run } from '../run.entity.js';
import { type RunService } from '../run.service.js';
import { type RunSubscriptions, type WantedRuns } from './run-subscriptions.js';

@Resolver(() => RunStatusChange)
export class RunChangeResolver {
  constructor(
    private readonly subscriptions: RunSubscriptions,
    private readonly runs: RunService,
  ) {}

  @Authorized('read')
  @Subscription(() => RunStatusChange, {
    description:
      'With `runId`: the latest change of that run at once, then each further change until the run has ended. With `workflowId`: every change of the runs of that workflow from now on. Without both: every change of the runs of the account. New and skipped runs are included. With `after`: first what the listener missed behind that change, in the order of time; changes of the minute before may be delivered again, with the same `id`.',
    subscribe: ({ args, context, info }) =>
      instanceOf(info.schema, RunChangeResolver).source(context as RequestContext, args as WantedRuns),
  })
  runStatusChanged(
    @Root() change: RunStatusChange,
    @Arg('workflowId', () => ID, { nullable: true, description: 'Only the changes of this workflow’s runs.' })
    _workflowId?: string,
    @Arg('runId', () => ID, { nullable: true, description: 'Only the changes of this run, with its latest one first.' })
    _runId?: string,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Without `runId`: every change after the one with this id, at most one day old.',
    })
    _after?: string,
  ): RunStatusChange {
    return change;
  }

  @FieldResolver(() => Run, { description: 'The run as it is now.' })
  run(@Ctx() context: RequestContext, @Root() { runUuid }: RunStatusChange, @Info() info: Selection): Promise<Run> {
    const input = inputPart('whole', info);
    return context.batch(this, runUuid, (uuids) => this.runs.byUuid(context, uuids, input), { cache: false });
  }

  source(context: RequestContext, wanted: WantedRuns): Promise<AsyncIterable<RunStatusChange>> {
    return this.subscriptions.changes(context, wanted);
  }
}
