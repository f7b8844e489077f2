import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type Authentication } from '../../features/authentication/authentication.js';
import { type KeyWatch } from '../../features/authentication/key-watch.js';
import { type Answers } from '../../platform/admission/answers.js';
import { type BodyBudget } from '../../platform/admission/body-budget.js';
import { UnreadBytes } from '../../platform/admission/unread-bytes.js';
import { type Platform } from '../../platform/platform.js';
import { type Repetition } from '../../platform/repetition.js';
import { type RateLimits } from '../../platform/admission/rate-limits.js';
import { createApollo } from './apollo.js';
import { Documents } from './documents/documents.js';
import { GraphqlHttp, type KeptSessions } from './graphql.router.js';
import { AdmittedOperations } from './documents/admitted-operations.js';
import { RepeatableMutations } from './repeatable-mutations.js';
import { buildGatewaySchema } from './schema.js';
import { SharedExecution } from './subscriptions/shared-execution.js';
import { SubscriptionSpace } from './subscriptions/subscription-space.js';
import { SubscriptionDocuments } from './subscriptions/subscription-documents.js';
import { SseSubscriptions } from './subscriptions/subscriptions.sse.js';
import { WsSubscriptions } from './subscriptions/subscriptions.ws.js';

interface Needs {
  resolvers: readonly object[];
  authentication: Authentication;
  keyWatch: KeyWatch;
  rates: RateLimits;
  answers: Answers;
  bodies: BodyBudget;
  persons: KeptSessions;
  repetition: Repetition;
  /** Whether an upgrade from a page of another origin carries a session cookie. */
  isForeign: (request: IncomingMessage) => boolean;
  addressOf: (request: IncomingMessage) => string;
  keylessDelay: (request: IncomingMessage) => number;
}

/** The schema over the features' resolvers, and its transports; `http` answers once Apollo has started. */
export function wireGraphql(
  { listeners, longWork, stored, logger, siblings }: Platform,
  {
    resolvers,
    authentication,
    keyWatch,
    rates,
    answers,
    bodies,
    persons,
    repetition,
    isForeign,
    addressOf,
    keylessDelay,
  }: Needs,
) {
  const schema = buildGatewaySchema(resolvers);
  const documents = new Documents(schema);
  const operations = new AdmittedOperations(documents, { rates, longWork });
  const apollo = createApollo(schema, logger, longWork);
  const subscriptions = new SubscriptionDocuments(schema, documents);
  const execution = new SharedExecution(answers, logger, longWork);
  const unread = new UnreadBytes();
  const space = new SubscriptionSpace(listeners);
  const ws = new WsSubscriptions({
    documents: subscriptions,
    execution,
    authentication,
    isForeign,
    addressOf,
    keylessDelay,
    keyWatch,
    rates,
    longWork,
    unread,
    space,
    places: siblings?.places('sockets'),
    logger,
    newRequestId: randomUUID,
  });
  const sse = new SseSubscriptions({
    documents: subscriptions,
    execution,
    authentication,
    keyWatch,
    rates,
    longWork,
    unread,
    space,
    bodies,
    places: siblings?.places('streams'),
    logger,
  });
  return {
    schema,
    apollo,
    http: new GraphqlHttp(
      apollo,
      operations,
      authentication,
      rates,
      answers,
      bodies,
      persons,
      new RepeatableMutations(repetition, longWork),
      stored,
      logger,
    ),
    ws,
    sse,
    metrics: {
      websocket_connections: { help: 'Open WebSockets.', read: () => ws.count },
      event_streams: { help: 'Open event streams (SSE).', read: () => sse.count },
      unread_event_bytes: {
        help: 'Bytes sent to subscribers and not read yet.',
        read: () => unread.total,
      },
      subscription_bytes: {
        help: 'Bytes held by the documents and variables of subscriptions.',
        read: () => space.inUse,
      },
      event_executions: {
        over: 'kept' as const,
        help: 'Executions of events for subscribers; equal subscriptions share one.',
        read: () => execution.executions,
      },
    },
  };
}
