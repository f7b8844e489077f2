import { type StoredBytes } from '../../platform/admission/daily/stored-bytes.js';
import { ChangeFeed } from '../../platform/changes/change-feed.js';
import { type Feature } from '../../platform/feature.js';
import { nodesOf } from '../../platform/graphql/nodes.js';
import { type LongPolls } from '../../platform/long-poll.js';
import { type StepMails } from '../../platform/mail/step-mails.js';
import { type Platform } from '../../platform/platform.js';
import { type ActionService } from '../actions/action.service.js';
import { type AppRegistry } from '../integrations/apps/registry.js';
import { type ConnectSessions } from '../integrations/connect/connect-session.service.js';
import { type SessionPage } from '../integrations/connect/session-page.js';
import { UserSessions } from '../integrations/connect/user-sessions.js';
import { findConnected } from '../integrations/connected-by-reference.js';
import { RunContinuation } from '../runs/control/continue-runs.js';
import { type RunQueue } from '../runs/queue/run-queue.js';
import { type RunService } from '../runs/run.service.js';
import { ApprovalMails } from './approvals/approval-mails.js';
import { ApprovalPageService } from './approvals/approval-page.js';
import { type NameOfCaller, WaitAnswering } from './answering/wait-answering.js';
import { RetriedWaits } from './answering/retried-waits.js';
import { WaitAnswers } from './answering/wait-answers.js';
import { WaitSettlement } from './answering/settle-waits.js';
import { WaitArrivals } from './arrivals.js';
import { WaitRecorder } from './changes/record-moves.js';
import { WaitChangeResolver } from './changes/wait-change.resolver.js';
import { waitChanges } from './changes/wait-changes.js';
import { WaitSubscriptions } from './changes/wait-subscriptions.js';
import { WaitEvents } from './changes/wait-webhook.js';
import { ConnectionAnswers } from './connections/connection-answers.js';
import { ConnectionPage } from './connections/connection-page.js';
import { connectionAnswersJob } from './connections/connection-answers.job.js';
import { expireWaitsJob } from './expire-waits.job.js';
import { PlacedWaits } from './placed-waits.js';
import { pruneWaitsJobs } from './prune-waits.job.js';
import { answerPart, nodeColumns } from './wait-columns.js';
import { WaitConnectionResolver } from './wait.connection.js';
import { Wait } from './wait.entity.js';
import { WaitResolver } from './wait.resolver.js';
import { WaitService } from './wait.service.js';
import { WaitTokens } from './wait-tokens.js';
import { urlsFrom } from './wait-urls.js';
import { type DeriveUrls } from '../webhooks/event-urls.js';
import { RunWaitsLink, WaitRunLink, WorkflowWaitsLink } from './waits.links.js';

/** The parts of waits that runs and integrations use. */
export interface WaitStore {
  tokens: WaitTokens;
  /** Derives the URLs in events about waits. */
  urls: DeriveUrls;
  /** Begins and cancels the waits of runs. */
  ofRuns: WaitArrivals;
  settlement: WaitSettlement;
  /** Answers waits when a connection is stored. */
  ofConnections: ConnectionAnswers;
  stored: StoredBytes;
}

/** Wires what writes waits. It comes before the features whose transactions it joins. */
export function wireWaitStore(platform: Platform, { queue, mails }: { queue: RunQueue; mails: StepMails }): WaitStore {
  const { clock, notifications, urlSecrets, config } = platform;
  const tokens = new WaitTokens(urlSecrets, config.baseUrl);
  const recorder = new WaitRecorder(notifications, new WaitEvents());
  const settlement = new WaitSettlement(recorder, new RunContinuation(queue, notifications));
  return {
    tokens,
    urls: urlsFrom(tokens),
    ofRuns: new WaitArrivals(recorder, new ApprovalMails(mails, tokens), findConnected),
    settlement,
    ofConnections: new ConnectionAnswers(clock, settlement, findConnected),
    stored: queue.stored,
  };
}

interface Needs {
  store: WaitStore;
  runs: RunService;
  actions: ActionService;
  polls: LongPolls;
  apps: AppRegistry;
  connect: { page: SessionPage; sessions: ConnectSessions };
  nameOf: NameOfCaller;
}

/** The parts of the feature that transports use. */
export interface Waits extends Feature {
  /** Takes what is posted to callbacks. */
  answers: WaitAnswers;
  /** Finds the waits of retries behind the URLs of ended runs. */
  retried: RetriedWaits;
  approvals: ApprovalPageService;
  connections: ConnectionPage;
}

/** Wires reading, following and answering waits, and the jobs that end them. */
export function wireWaits(platform: Platform, needs: Needs): Waits {
  const { store, runs, actions, polls, nameOf } = needs;
  const { db, clock, notifications, logger } = platform;
  const { tokens, settlement, ofConnections, stored } = store;
  const feed = new ChangeFeed(waitChanges, db, notifications, logger);
  const waits = new WaitService(db, feed, polls);
  const answers = new WaitAnswers(db, clock, actions, settlement, stored);
  const retried = new RetriedWaits(db, actions);
  return {
    answers,
    retried,
    ...wirePages(platform, needs, { answers, retried }),
    resolvers: [
      new WaitResolver(waits, new WaitAnswering(db, waits, answers, nameOf), tokens),
      new WaitConnectionResolver(
        (context, filter, span, { counts, selection }) =>
          waits.list(context, filter, span, {
            withTotal: counts,
            answer: selection ? answerPart('listed', selection, 'edges', 'node') : 'none',
          }),
        (context) => waits.latestChange(context),
      ),
      new WaitChangeResolver(new WaitSubscriptions(db, feed), waits),
      new RunWaitsLink(waits),
      new WorkflowWaitsLink(waits),
      new WaitRunLink(runs),
    ],
    nodes: [nodesOf(db, { table: 'waits', entity: Wait, alias: 'w', columns: nodeColumns })],
    jobs: [
      expireWaitsJob(db, settlement),
      connectionAnswersJob(db, logger, ofConnections),
      ...pruneWaitsJobs(db, clock),
    ],
    metrics: {
      wait_listeners: { help: 'Listeners for changes of waits.', read: () => feed.listeners },
      waits_pending: { over: 'shared', help: 'Pending waits of all accounts.', read: () => waits.countPending() },
    },
    stop: async () => {
      await answers.close();
      feed.stop();
    },
  };
}

/** The pages on which people answer waits. */
function wirePages(
  { db, clock }: Platform,
  { store: { tokens }, actions, apps, connect }: Needs,
  { answers, retried }: Pick<Waits, 'answers' | 'retried'>,
): Pick<Waits, 'approvals' | 'connections'> {
  const places = new PlacedWaits(db);
  return {
    approvals: new ApprovalPageService(places, tokens, answers, retried),
    connections: new ConnectionPage({
      db,
      clock,
      tokens,
      places,
      actions,
      retried,
      page: connect.page,
      sessions: new UserSessions(connect.sessions),
      nameOf: (type) => apps.get(type)?.name ?? type,
    }),
  };
}
