import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { EXPECTED_VERSION } from '../../platform/entity-tag.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { notFound } from '../../platform/errors.js';
import { Workflow } from '../workflows/workflow.entity.js';
import { type WorkflowService } from '../workflows/workflow.service.js';
import { needsConfig } from './configs/trigger-columns.js';
import { Trigger, TriggerPage } from './trigger.entity.js';
import { CreateTriggerInput, TriggerFilter, UpdateTriggerInput } from './trigger.inputs.js';
import { type TriggerService } from './trigger.service.js';

@Resolver(() => Trigger)
export class TriggerResolver {
  constructor(
    private readonly service: TriggerService,
    private readonly workflowService: WorkflowService,
  ) {}

  @Authorized('read')
  @Query(() => TriggerPage, {
    description: "Lists the account's triggers, newest first. A trigger must match every given filter.",
  })
  triggers(
    @Ctx() context: RequestContext,
    @Args(() => TriggerFilter) filter: TriggerFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Trigger>> {
    return this.service.list(context, filter, page, {
      withTotal: countsItems(info),
      withConfigs: needsConfig(info, 'items'),
    });
  }

  @Authorized('read')
  @Query(() => Trigger, { description: 'Gets one trigger. Its `status` says whether it fires now.' })
  trigger(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Trigger> {
    return this.service.get(context, id);
  }

  @Authorized('write')
  @Mutation(() => Trigger, {
    description:
      'Attaches a trigger to a workflow. The trigger is active at once. `config` is required for `SCHEDULE` and `APP_EVENT`; a `WEBHOOK` trigger gets its URL from the service.',
  })
  createTrigger(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTriggerInput) input: CreateTriggerInput,
  ): Promise<Trigger> {
    return this.service.create(context, input);
  }

  @Authorized('write')
  @Mutation(() => Trigger, {
    description:
      'Updates a trigger. Only the fields that are present change. A new `config` replaces the old one as a whole.',
  })
  updateTrigger(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateTriggerInput) input: UpdateTriggerInput,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<Trigger> {
    return this.service.update(context, id, input, expectedVersion);
  }

  @Authorized('write')
  @Mutation(() => ID, {
    description: 'Deletes a trigger permanently, with its inbound URL. The runs that it started stay.',
  })
  deleteTrigger(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('expectedVersion', () => String, { nullable: true, description: EXPECTED_VERSION })
    expectedVersion?: string | null,
  ): Promise<string> {
    return this.service.delete(context, id, expectedVersion);
  }

  @FieldResolver(() => Workflow, { description: 'The workflow that it fires.' })
  workflow(@Root() trigger: Trigger, @Ctx() context: RequestContext): Promise<Workflow> {
    return context.batch(this, trigger.workflowUuid, (uuids) => this.workflows(context, uuids));
  }

  private async workflows(context: RequestContext, uuids: readonly string[]): Promise<(Workflow | Error)[]> {
    const workflows = await this.workflowService.byUuid(context, uuids);
    // The workflow was deleted after its trigger was read.
    return workflows.map((workflow) => workflow ?? notFound('workflow'));
  }
}
