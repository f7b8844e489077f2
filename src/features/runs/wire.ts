import { nodesOf } from '../../platform/graphql/nodes.js';
import { RunConnectionResolver } from './run.connection.js';
import { inputPart, nodeColumns } from './run-columns.js';
import { Run } from './run.entity.js';
import { type AccountMail } from '../accounts/account-mail.js';
import { type ActionService } from '../actions/action.service.js';
import { type Applications } from '../actions/step-work.js';
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
import { wireBulk } from './bulk/wire-bulk.js';
import { WorkflowLastRunLink } from './links/workflow.last-run.link.js';
import { ManualRuns } from './control/manual-run.js';
import { RunCancel } from './control/run-cancel.js';
import { RunChangeResolver } from './feed/run-change.resolver.js';
import { RunMutationsResolver } from './control/run-mutations.resolver.js';
import { RunFeed } from './feed/run-feed.js';
import { failingMailsJob } from './failures/failing-mails.job.js';
import { createPartitionsJob } from './retention/run-partitions.job.js';
import { DeletedWorkflowRuns } from './control/deleted-workflows.js';
import { endRunsOfDeletedWorkflowsJob } from './control/deleted-workflows.job.js';
import { type RunQueue } from './queue/run-queue.js';
import { dropOldRunsJob } from './retention/run-retention.job.js';
import { RunRetry } from './control/run-retry.js';
import { RunStatisticsResolver } from './statistics/run-statistics.resolver.js';
import { RunStatisticsService } from './statistics/run-statistics.js';
import { RunSubscriptions } from './feed/run-subscriptions.js';
import { RunTally } from './feed/run-tally.js';
import { RunWaiting } from './feed/run-waiting.js';
import { RunActionsLink } from './links/run.actions.link.js';
import { RunRetryLink } from './links/run.retry.link.js';
import { RunWorkflowLink } from './links/run.workflow.link.js';
import { type RunWaits } from './execution/run-waits.js';
import { RunWorker } from './execution/run-worker.js';
import { type WaitUrls } from './execution/step-scope.js';
import { resumeRunsJob } from './waiting-runs.job.js';
import { pruneLateChangesJob } from './retention/late-changes-prune.job.js';
import { RunPageResolver, RunResolver } from './run.resolver.js';
import { RunService } from './run.service.js';
import { StepInputs } from './step-inputs.js';
import { StepResolver } from './step.resolver.js';
import { TestRuns } from './control/test-run.js';
import { WorkflowRunStatisticsLink } from './links/workflow.run-statistics.link.js';
import { WorkflowStatistics } from './statistics/workflow-statistics.js';
import { WorkflowRunsLink } from './links/workflow.runs.link.js';

interface Needs {
  workflows: WorkflowService;
  actions: ActionService;
  applications: Applications;
  mails: StepMails;
  accountMail: AccountMail;
  queue: RunQueue;
  polls: LongPolls;
  waits: RunWaits;
  waitUrls: WaitUrls;
}

interface Runs extends Feature {
  service: RunService;
}

/** Wires reading, following and controlling runs, and the worker that executes them. */
export function wireRuns(platform: Platform, needs: Needs): Runs {
  const { db, clock, notifications, listeners, logger } = platform;
  const { queue } = needs;
  const feed = new RunFeed(db, clock, notifications, queue, logger);
  const runs = new RunService(db, clock);
  const { workflows, actions, polls, waits, waitUrls } = needs;
  const { worker, metrics } = wireWorker(platform, needs);
  const cancels = new RunCancel(db, clock, notifications, waits);
  const retries = new RunRetry(db, clock, queue, actions);
  const bulk = wireBulk(platform, { queue, retries, cancels });
  return {
    service: runs,
    resolvers: [
      new RunResolver(runs, new RunWaiting(runs, feed, polls)),
      new RunPageResolver(clock),
      new RunConnectionResolver(
        (context, filter, span, { counts, selection }) =>
          runs.list(context, filter, span, {
            withTotal: counts,
            input: selection ? inputPart('listed', selection, 'edges', 'node') : 'none',
          }),
        () => runs.latestChange(),
      ),
      new StepResolver(new StepInputs(db, runs, actions, waitUrls, platform.longWork)),
      new RunChangeResolver(new RunSubscriptions(db, runs, feed, listeners, clock), runs),
      new RunMutationsResolver(new ManualRuns(db, clock, queue), cancels, retries, new TestRuns(db, clock, queue)),
      ...bulk.resolvers,
      new WorkflowRunsLink(runs),
      new WorkflowLastRunLink(runs),
      new WorkflowRunStatisticsLink(new WorkflowStatistics(db, clock, platform.longWork)),
      new RunWorkflowLink(workflows),
      new RunActionsLink(actions),
      new RunRetryLink(db),
      new RunStatisticsResolver(new RunStatisticsService(db, clock, platform.longWork)),
    ],
    nodes: [nodesOf(db, { table: 'runs', entity: Run, alias: 'r', columns: nodeColumns }), ...bulk.nodes],
    jobs: [
      ...housekeeping(platform),
      endRunsOfDeletedWorkflowsJob(db, clock, new DeletedWorkflowRuns(notifications, waits)),
      resumeRunsJob({ db, queue }),
      failingMailsJob({ db, clock, mail: needs.accountMail, baseUrl: platform.config.baseUrl }),
      ...bulk.jobs,
    ],
    workers: [worker],
    metrics: {
      run_listeners: { help: 'Listeners for changes of runs.', read: () => feed.listeners },
      runs_open: {
        over: 'shared',
        help: 'Runs of all processes that have not ended, up to 100,000 of each status.',
        label: 'status',
        read: () => runs.countOpen(),
      },
      ...metrics,
      ...bulk.metrics,
    },
    stop: async () => {
      await bulk.stop();
      feed.stop();
    },
  };
}

/** The worker that executes runs, and its metrics. */
function wireWorker(platform: Platform, needs: Needs): { worker: RunWorker; metrics: MetricSources } {
  const { db, clock, notifications, longWork, logger, outbound, targets, tracing } = platform;
  const { actions, applications, queue, mails, waits, waitUrls } = needs;
  const tally = new RunTally();
  const space = new RunSpace(db, longWork, queue.inputs);
  const worker = new RunWorker({
    clock,
    logger,
    tracing,
    queue,
    claims: new RunClaims(db, clock, queue, notifications, actions, tally),
    space,
    progress: new ProgressLog(db, queue, notifications, tally, waits),
    services: {
      outbound,
      targets,
      longWork,
      applications,
      mail: mails,
      waitUrls,
    },
  });
  const metrics: MetricSources = {
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
      over: 'shared',
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
