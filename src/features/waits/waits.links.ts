import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { BY_LINK, linkKey } from '../../platform/db/pages/linked-pages.js';
import { type Page } from '../../platform/db/pages/pagination.js';
import { countsItems, isSelected, type Selection } from '../../platform/graphql/selected-fields.js';
import { Run } from '../runs/run.entity.js';
import { type RunService } from '../runs/run.service.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { answerPart } from './wait-columns.js';
import { Wait, WaitPage } from './wait.entity.js';
import { LinkedWaitsArgs } from './wait.inputs.js';
import { type WaitParent, type WaitService } from './wait.service.js';

/** The link from runs to their waits. */
@Resolver(() => Run)
export class RunWaitsLink {
  constructor(private readonly service: WaitService) {}

  @FieldResolver(() => WaitPage, { description: 'Its waits, newest first.' })
  waits(
    @Root() run: Run,
    @Ctx() context: RequestContext,
    @Args(() => LinkedWaitsArgs) args: LinkedWaitsArgs,
    @Info() info: Selection,
  ): Promise<Page<Wait>> {
    return pageOf(this, this.service, 'run', context, run, args, info);
  }
}

/** The link from workflows to the waits of their runs. */
@Resolver(() => Workflow)
export class WorkflowWaitsLink {
  constructor(private readonly service: WaitService) {}

  @FieldResolver(() => WaitPage, { description: 'The waits of its runs, newest first.' })
  waits(
    @Root() workflow: Workflow,
    @Ctx() context: RequestContext,
    @Args(() => LinkedWaitsArgs) args: LinkedWaitsArgs,
    @Info() info: Selection,
  ): Promise<Page<Wait>> {
    return pageOf(this, this.service, 'workflow', context, workflow, args, info);
  }
}

/** The link from waits to their runs. */
@Resolver(() => Wait)
export class WaitRunLink {
  constructor(private readonly runs: RunService) {}

  @FieldResolver(() => Run, { description: 'The run that waits.' })
  run(@Root() { runUuid }: Wait, @Ctx() context: RequestContext): Promise<Run> {
    return context.batch(this, runUuid, (uuids) => this.runs.byUuid(context, uuids, 'none'));
  }
}

/** The key of the latest change: one statement for all pages of an operation. */
const LATEST = {};

async function pageOf(
  link: object,
  service: WaitService,
  parent: WaitParent,
  context: RequestContext,
  { uuid }: { uuid: string },
  args: LinkedWaitsArgs,
  info: Selection,
): Promise<Page<Wait>> {
  const part = answerPart('listed', info, 'items') === 'none' ? 'none' : 'listed';
  const key = linkKey(uuid, args, { prefix: 'wait', counts: countsItems(info), filters: { status: args.status } });
  // Before the list, as for the root fields.
  const change = isSelected(info, 'latestChange')
    ? { latestChange: await context.batch(LATEST, '', async () => [await service.latestChange(context)]) }
    : {};
  const page = await context.batch(link, key, (keys) => service.linked(context, parent, keys, part), BY_LINK);
  return { ...page, ...change };
}
