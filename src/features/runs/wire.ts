import { nodesOf } from '../../platform/graphql/nodes.js';
import { RunConnectionResolver } from './run.connection.js';
import { inputPart, nodeColumns } from './run-columns.js';
import { Run } from './run.entity.js';
import { type ActionService } from '../actions/action.service.js';
import { type Applications } from '../actions/step-work.js';
import { TargetLimits } from '../actions/target-limits.js';
import { type Feature, type MetricSources } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type StepMails } from '../../platform/mail/step-mails.js';
import { type LongPolls } from '../../platform/long-poll.js';
import { type WorkflowService } from '../workflows/workflow.service.js';
import { pruneRunsOfDeletedWorkflowsJob } from './retention/deleted-workflows.job.js';
import { RunClaims } from './execution/claim-runs.js';
import { ProgressLog } from './execution/progress.js';
import { RunSpace } from './execution/run-space.js';
import { pruneFiringsJob } from './retention/firings-prune.job.js';
import { WorkflowLastRunLink } from './links/workflow.last-run.link.js';
import { ManualRuns } from './control/manual-run.js';
import { RunCancel } from './control/run-cancel.js';
import { RunChangeResolver } from './feed/run-change.resolver.js';
import { RunMutationsResolver } from './control/run-mutations.resolver.js';
import { RunFeed } from './feed/run-feed.js';
import { createPartitionsJob } from './retention/run-partitions.job.js';
import { RunQueue } from './queue/run-queue.js';
import { dropOldRunsJob } from './retention/run-retention.job.js';
import { RunRetry } from './control/run-retry.js';
import { RunStatisticsResolver } from './statistics/run-statistics.resolver.js';
import { RunStatisticsService } from './statistics/run-statistics.js';
import { RunSubscriptions } from './feed/run-subscriptions.js';
import { RunTally } from './feed/run-tally.js';
import { RunWaiting } from './feed/run-waiting.js';
import { RunActionsLink } from './links/run.actions.link.js';
import { RunWorkflowLink } from './links/run.workflow.link.js';
import { RunWorker } from './execution/run-worker.js';
import { resumeRunsJob } from './waiting-runs.job.js';
import { pruneLateChangesJob } from './retention/late-changes-prune.job.js';
import { RunPageResolver, RunResolver } from './run.resolver.js';
import { RunService } from './run.service.js';
import { StepInputs } from './step-inputs.js';
import { StepResolver } from './step.resolver.js';
import { TestRuns } from './control/test-run.js';
import { WorkflowRunsLink } from './links/workflow.runs.link.js';

interface Needs {
  workflows: WorkflowService;
  actions: ActionService;
  applications: Applications;
  mails: StepMails;
  waits: LongPolls;
}

interface Runs extends Feature {
  service: RunService;
  /** The queue to which hooks, events and schedules add runs. */
  queue: RunQueue;
}

/** Wires reading, following and controlling runs, and the worker that executes them. */
export function wireRuns(platform: Platform, needs: Needs): Runs {
  const { db, clock, notifications, queues, listeners, logger } = platform;
  const queue = new RunQueue(queues, notifications, db, clock);
  const feed = new RunFeed(db, clock, notifications, queue, logger);
  const runs = new RunService(db, clock);
  const { workflows, actions, waits } = needs;
  const { worker, metrics } = wireWorker(platform, needs, queue);
  return {
    service: runs,
    queue,
    resolvers: [
      new RunResolver(runs, new RunWaiting(runs, feed, waits)),
      new RunPageResolver(clock),
      new RunConnectionResolver(
        (context, filter, span, { counts, selection }) =>
          runs.list(context, filter, span, {
            withTotal: counts,
            input: selection ? inputPart('listed', selection, 'edges', 'node') : 'none',
          }),
        () => runs.latestChange(),
      ),
      new StepResolver(new StepInputs(db, runs, actions)),
      new RunChangeResolver(new RunSubscriptions(db, runs, feed, listeners, clock), runs),
      new RunMutationsResolver(
        new ManualRuns(db, clock, queue),
        new RunCancel(db, clock, notifications),
        new RunRetry(db, clock, queue, actions),
        new TestRuns(db, clock, queue),
      ),
      new WorkflowRunsLink(runs),
      new WorkflowLastRunLink(runs),
      new RunWorkflowLink(workflows),
      new RunActionsLink(actions),
      new RunStatisticsResolver(new RunStatisticsService(db, clock)),
    ],
    nodes: [nodesOf(db, { table: 'runs', entity: Run, alias: 'r', columns: nodeColumns })],
    jobs: [...housekeeping(platform), resumeRunsJob({ db, clock, queue })],
    workers: [worker],
    metrics: {
      run_listeners: { help: 'Listeners for changes of runs.', read: () => feed.listeners },
      runs_open: {
        help: 'Runs of all processes that have not ended, up to 100,000 of each status.',
        label: 'status',
        read: () => runs.countOpen(),
      },
      ...metrics,
    },
    stop: () => feed.stop(),
  };
}

/** The worker that executes runs, and its metrics. */
function wireWorker(platform: Platform, needs: Needs, queue: RunQueue): { worker: RunWorker; metrics: MetricSources } {
  const { db, clock, notifications, longWork, logger, outbound } = platform;
  const { actions, applications, mails } = needs;
  const tally = new RunTally();
  const space = new RunSpace(db, longWork);
  const worker = new RunWorker({
    clock,
    logger,
    queue,
    claims: new RunClaims(db, clock, queue, notifications, actions, tally),
    space,
    progress: new ProgressLog(db, clock, queue, notifications, tally),
    services: {
      outbound,
      targets: new TargetLimits(),
      applications,
      mail: mails,
    },
  });
  const metrics = {
    runs_ended_total: {
      help: 'Runs that the worker of this process has ended.',
      label: 'status',
      read: () => tally.ended,
    },
    run_bytes: {
      help: 'Bytes of inputs, requests and outputs that steps hold in this process.',
      read: () => space.inUse,
    },
    runs_under_way: { help: 'Runs that this process executes now.', read: () => worker.size },
    run_jobs: {
      help: 'Jobs of runs in the shared queue: waiting for a worker, and held by one.',
      label: 'state',
      read: async () => ({ ...(await queue.depth()) }),
    },
  };
  return { worker, metrics };
}

/** The jobs that create partitions ahead and delete old data. */
function housekeeping({ config, db, clock }: Platform): PeriodicJob[] {
  return [
    createPartitionsJob(db, clock),
    dropOldRunsJob(db, clock, config.runRetentionDays),
    pruneFiringsJob(db, clock),
    pruneLateChangesJob(db, clock),
    pruneRunsOfDeletedWorkflowsJob(db, clock),
  ];
}
