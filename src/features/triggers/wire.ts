import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type ActionService } from '../actions/action.service.js';
import { type WorkflowService } from '../workflows/workflow.service.js';
import { type EventCatalog } from './define-trigger-kind.js';
import { waitingChangesJob } from './changes/waiting-changes.job.js';
import { CronPreviewResolver } from './schedules/cron-preview.resolver.js';
import { CronPreviews } from './schedules/cron-preview.js';
import { DuplicationResolver } from './duplication/duplication.resolver.js';
import { DuplicationService } from './duplication/duplication.service.js';
import { IntegrationWorkflowsLink } from './integration.workflows.link.js';
import { BARE_COLUMNS, needsConfig } from './configs/trigger-columns.js';
import { TriggerConfigResolver } from './configs/trigger-config.resolver.js';
import { TriggerConfigs } from './configs/trigger-configs.service.js';
import { DependentWorkflows } from './dependent-workflows.js';
import { IntegrationTriggersLink } from './integration.triggers.link.js';
import { nodesOf } from '../../platform/graphql/nodes.js';
import { type RunService } from '../runs/run.service.js';
import { TriggerConnectionResolver } from './trigger.connection.js';
import { Trigger } from './trigger.entity.js';
import { TriggerLastRunLink } from './trigger.last-run.link.js';
import { TriggerResolver } from './trigger.resolver.js';
import { TriggerService } from './trigger.service.js';
import { UpcomingFiringsResolver } from './schedules/upcoming-firings.resolver.js';
import { UpcomingFirings } from './schedules/upcoming-firings.js';
import { WorkflowTriggersLink } from './workflow.triggers.link.js';

interface Needs {
  workflows: WorkflowService;
  actions: ActionService;
  events: EventCatalog;
}

interface Triggers extends Feature {
  service: TriggerService;
}

/** Wires the management of triggers. Hooks, events and schedules read the rows. */
export function wireTriggers(platform: Platform, { workflows, actions, events }: Needs): Triggers {
  const { config, db, clock, secrets, longWork, stored } = platform;
  const configs = new TriggerConfigs(db, clock, secrets, longWork, config.baseUrl);
  const triggers = new TriggerService(db, clock, secrets, { configs, events });
  return {
    service: triggers,
    resolvers: [
      new TriggerResolver(triggers, workflows),
      new TriggerConfigResolver(configs),
      new DuplicationResolver(new DuplicationService(db, clock, secrets, stored, { workflows, actions })),
      new TriggerConnectionResolver((context, filter, span, { counts, selection }) =>
        triggers.list(context, filter, span, {
          withTotal: counts,
          withConfigs: selection !== undefined && needsConfig(selection, 'edges', 'node'),
        }),
      ),
      new WorkflowTriggersLink(triggers),
      new IntegrationTriggersLink(triggers),
      new IntegrationWorkflowsLink(new DependentWorkflows(db, events)),
      new UpcomingFiringsResolver(new UpcomingFirings(db, configs)),
      new CronPreviewResolver(new CronPreviews(clock)),
    ],
    nodes: [
      nodesOf(db, {
        table: 'triggers',
        entity: Trigger,
        alias: 't',
        columns: () => BARE_COLUMNS,
        reveal: (rows) => rows.forEach((trigger) => configs.reveal(trigger)),
      }),
    ],
    jobs: [waitingChangesJob(platform)],
  };
}

/** Wires the link from triggers to their runs, which are wired after them. */
export function wireTriggerRuns({ runs }: { runs: RunService }): Feature {
  return { resolvers: [new TriggerLastRunLink(runs)] };
}
