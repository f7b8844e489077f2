import { LISTENERS_OF_ACCOUNT } from '../../../../src/platform/admission/listeners.js';
import {
  PATIENCE_MS as PROGRESS_MS,
  UNREAD_OF_ACCOUNT,
  UNREAD_OF_READER,
} from '../../../../src/platform/admission/unread-bytes.js';
import { COUNT_LIMIT, FAR_ROWS } from '../../../../src/platform/db/pages/pagination.js';
import { LIMITS } from '../../../../src/transports/graphql/documents/limits.js';
import { MAX_ERRORS } from '../../../../src/transports/graphql/errors.js';
import { OPERATION_TIMEOUT_MS } from '../../../../src/transports/graphql/graphql.router.js';
import {
  CONNECTIONS_OF_ACCOUNT,
  CONNECTIONS_PER_KEY,
} from '../../../../src/transports/graphql/subscriptions/connection-places.js';
import {
  MAX_EARLY_BYTES,
  MAX_EARLY_FRAMES,
} from '../../../../src/transports/graphql/subscriptions/subscription-socket.js';
import { CHEAP_VALUES, VALUES_PER_SECOND } from '../../../../src/transports/graphql/subscriptions/costly-events.js';
import { EVENT_BYTES, MAX_JSON_FIELDS } from '../../../../src/transports/graphql/subscriptions/event-text.js';
import { HEARTBEAT_MS } from '../../../../src/transports/graphql/subscriptions/event-stream.js';
import { PING_MS } from '../../../../src/transports/graphql/subscriptions/subscription-socket.js';
import {
  INIT_TIMEOUT_MS,
  SUBSCRIPTIONS_PER_SOCKET,
} from '../../../../src/transports/graphql/subscriptions/subscriptions.ws.js';
import { KEPT_CHANGES, KEPT_MS as CHANGES_MS } from '../../../../src/features/integrations/integration-prune.job.js';
import { RESUMABLE_MS } from '../../../../src/features/runs/feed/run-positions.js';
import { LOOK_AT, LOOK_AT_ACCOUNTS } from '../../../../src/features/runs/feed/run-versions.js';
import { LISTED_BYTES } from '../../../../src/features/runs/run-columns.js';
import { SEARCHED_RUNS } from '../../../../src/features/runs/run-search.js';
import { bytes, count, time } from '../amounts.js';
import { type Bounds } from '../bounds.js';
import { DOCUMENT, INVALID, type Limits } from './limit.js';

/** The limits of documents, subscriptions and lists. */
export function graphqlLimits(bounds: Bounds): Limits {
  return {
    'GraphQL documents': [
      ['Tokens', count(LIMITS.tokens), DOCUMENT],
      ['Depth: a root field is 1, fragments count where they are spread', count(LIMITS.depth), DOCUMENT],
      ['Aliases', count(LIMITS.aliases), DOCUMENT],
      ['Root fields', count(LIMITS.rootFields), DOCUMENT],
      ['Nodes: the product of the requested page sizes', count(LIMITS.nodes), DOCUMENT],
      [
        'Objects: the same with the longest lists that have no page size (actions, steps, buckets …)',
        count(LIMITS.objects),
        DOCUMENT,
      ],
      [
        'Values: the fields of all these objects, and of those that links to one object lead to',
        count(LIMITS.values),
        DOCUMENT,
      ],
      ['Selections of all operations, with fragments spread', count(LIMITS.selections), DOCUMENT],
      ['Bytes of variables, counted at each use', bytes(LIMITS.variableBytes), DOCUMENT],
      ['Errors of a response', count(MAX_ERRORS), 'left out; one more error says how many'],
      ['Time', time(OPERATION_TIMEOUT_MS), '503 `UNAVAILABLE`'],
    ],
    Subscriptions: [
      ['Subscriptions of a socket', count(SUBSCRIPTIONS_PER_SOCKET), '`RATE_LIMITED` for that subscription'],
      [
        'Sockets of a key; its event streams; each per machine',
        `${count(CONNECTIONS_PER_KEY)}; ${count(CONNECTIONS_PER_KEY)}`,
        'closed with 4429; 429',
      ],
      [
        'Sockets of all keys and sessions of an account; their event streams; each per process',
        `${count(CONNECTIONS_OF_ACCOUNT)}; ${count(CONNECTIONS_OF_ACCOUNT)}`,
        'likewise',
      ],
      ['Listeners of an account, per machine', count(LISTENERS_OF_ACCOUNT), '`RATE_LIMITED`'],
      ['From opening a socket to `connection_init`', time(INIT_TIMEOUT_MS), 'closed with 4408'],
      [
        'Frames, and bytes, before `connection_ack`',
        `${MAX_EARLY_FRAMES}; ${bytes(MAX_EARLY_BYTES)}`,
        'cut; closed with 4400',
      ],
      [
        'Heartbeat of a WebSocket; of an event stream',
        `${time(PING_MS)}; ${time(HEARTBEAT_MS)}`,
        'a socket without a pong by the next one is cut',
      ],
      [
        'An event; its JSON fields if it is larger',
        `${bytes(EVENT_BYTES)}; ${MAX_JSON_FIELDS}`,
        'large fields are null; `extensions.omitted` names them; with more of them `data` is null',
      ],
      [
        'Values a second of an account’s events in a process, where a document can have more than ' +
          count(CHEAP_VALUES),
        `${count(VALUES_PER_SECOND)}, and those of 4 s at once`,
        'events wait',
      ],
      [
        'Unread bytes of a socket or stream; of an account in a process',
        `${bytes(UNREAD_OF_READER)}; ${bytes(UNREAD_OF_ACCOUNT)}`,
        'closed with 1013; a stream is cut',
      ],
      ['Time without progress while events are unread', time(PROGRESS_MS), 'likewise'],
      [
        'Runs whose lost hints are looked for each second, shared by the accounts with listeners; those accounts',
        `${count(LOOK_AT)}; ${count(LOOK_AT_ACCOUNTS)}`,
        'the others are looked at next',
      ],
      [
        'Age of the change after which a listener can resume: of an integration or a wait; of a run',
        `${time(CHANGES_MS)}; ${time(RESUMABLE_MS)}`,
        `\`NOT_FOUND\`; the latest ${KEPT_CHANGES} changes of an integration are kept longer`,
      ],
    ],
    Lists: [
      ['`per_page`', `1 to ${bounds.of('ListRuns', 'per_page')}`, INVALID],
      [
        'Runs that a `search` reads, the newest ones first; bytes of an input that it reads',
        `${count(SEARCHED_RUNS)}; ${bytes(LISTED_BYTES)}`,
        'not found',
      ],
      ['`total` of runs and deliveries', `exact up to ${count(COUNT_LIMIT)}`, `stays ${count(COUNT_LIMIT)}`],
      ['Rows before a page from which on it is expensive', count(FAR_ROWS), 'weighs more in the rate'],
      [
        '`input` and `output` in lists',
        `${bytes(LISTED_BYTES)} each`,
        'null, and `input_omitted: true`; the single resource has them in full',
      ],
    ],
  };
}
