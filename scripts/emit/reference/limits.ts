import { MAX_JSON_LEVELS } from '../../../src/platform/graphql/scalars.js';
import { MAX_BODY_BYTES } from '../../../src/platform/http/inbound/inbound-body.js';
import {
  ANSWER_BYTES,
  ANSWER_SPACE as TEXT_SPACE,
  LONG_ANSWER_BYTES,
  PATIENCE_MS as ANSWER_PATIENCE_MS,
} from '../../../src/platform/admission/answers.js';
import { UNKNOWN_BYTES, UNKNOWN_SPACE } from '../../../src/platform/admission/body-budget.js';
import { LISTENERS_OF_ACCOUNT } from '../../../src/platform/admission/listeners.js';
import { KEYLESS, LONGEST_MS, REFUSALS } from '../../../src/platform/admission/response-pace.js';
import { EXPENSIVE, KEPT_FREE, PATIENCE_MS as TURN_MS } from '../../../src/platform/admission/turns.js';
import {
  PATIENCE_MS as PROGRESS_MS,
  UNREAD_OF_ACCOUNT,
  UNREAD_OF_READER,
} from '../../../src/platform/admission/unread-bytes.js';
import { VARIABLES } from '../../../src/platform/config/variables.js';
import { COUNT_LIMIT, FAR_ROWS } from '../../../src/platform/db/pages/pagination.js';
import { WAITS_PER_KEY } from '../../../src/platform/long-poll.js';
import { MAX_KEPT_BYTES } from '../../../src/platform/repetition.js';
import { MAX_HEAD_BYTES, MAX_PIPELINED } from '../../../src/transports/gateway/pipelines.js';
import { LIMITS } from '../../../src/transports/graphql/documents/limits.js';
import { OPERATION_TIMEOUT_MS } from '../../../src/transports/graphql/graphql.router.js';
import { CONNECTIONS_PER_KEY } from '../../../src/transports/graphql/subscriptions/subscription-space.js';
import {
  MAX_EARLY_BYTES,
  MAX_EARLY_FRAMES,
} from '../../../src/transports/graphql/subscriptions/subscription-socket.js';
import { EVENT_BYTES } from '../../../src/transports/graphql/subscriptions/event-text.js';
import { HEARTBEAT_MS } from '../../../src/transports/graphql/subscriptions/event-stream.js';
import { PING_MS } from '../../../src/transports/graphql/subscriptions/subscription-socket.js';
import {
  INIT_TIMEOUT_MS,
  SUBSCRIPTIONS_PER_SOCKET,
} from '../../../src/transports/graphql/subscriptions/subscriptions.ws.js';
import { MAX_WANTED_CHARACTERS } from '../../../src/features/actions/kinds/condition.js';
import { MAX_SECONDS } from '../../../src/features/actions/kinds/delay.js';
import { MAX_AUTHORITY } from '../../../src/platform/http/outbound/addresses.js';
import { LONG_STEP_MS, MAX_HANDSHAKE_BYTES } from '../../../src/platform/http/outbound/limits/handshake-limit.js';
import { MAX_TICKETS } from '../../../src/platform/http/outbound/limits/tls-limit.js';
import { BYTES_OF_CHUNK, FREE_CHUNKS } from '../../../src/platform/http/outbound/limits/chunk-limit.js';
import { MAX_INTERIM } from '../../../src/platform/http/outbound/exchange.js';
import { MAX_BLOCK_MS } from '../../../src/platform/http/outbound/retry-after.js';
import { PER_ACCOUNT, PER_HOST, SLOT_PATIENCE_MS } from '../../../src/platform/admission/target-limits.js';
import {
  CALL_MS as CLIENT_CALL_MS,
  MAX_ANSWER_BYTES as CLIENT_ANSWER_BYTES,
} from '../../../src/features/integrations/calls/application-calls.js';
import { MAX_PROXIED_ANSWER_BYTES, PROXY_MS } from '../../../src/features/integrations/calls/application-proxy.js';
import { MAX_PROXIED_BODY_BYTES } from '../../../src/transports/proxy/proxy-body.js';
import { RECEIVED_PER_SECOND } from '../../../src/platform/admission/byte-rates.js';
import { AROUND_BODY_BYTES, BEFORE_BODY_BYTES } from '../../../src/platform/http/outbound/limits/wire-limit.js';
import { CALL_MS, MAX_ANSWER_BYTES } from '../../../src/features/actions/http-step.js';
import { MAX_RENDERED_BYTES } from '../../../src/features/actions/placeholders/render.js';
import { MAX_ACTIONS } from '../../../src/features/actions/validate-actions.js';
import { MAX_WAIT_SECONDS, MIN_WAIT_SECONDS } from '../../../src/features/actions/wait-timeout.js';
import { MAX_PENDING } from '../../../src/features/waits/arrivals.js';
import { MAX_COMMENT } from '../../../src/features/waits/wait.inputs.js';
import { ABANDONED_MS, KEPT_MS as REPLAYED_MS } from '../../../src/features/idempotency/idempotency.service.js';
import { KEPT_OF_ACCOUNT, SHORT_BYTES } from '../../../src/features/idempotency/kept-bytes.js';
import { KEPT_CHANGES, KEPT_MS as CHANGES_MS } from '../../../src/features/integrations/integration-prune.job.js';
import { RENEWALS_AT_ONCE } from '../../../src/features/integrations/integration.job.js';
import { FLOW_MS, MAX_OPEN_FLOWS } from '../../../src/features/integrations/connect/authorization-flow.js';
import {
  CALLBACK_PATIENCE_MS,
  CALLBACKS_AT_ONCE,
} from '../../../src/features/integrations/connect/callback/callback-turns.js';
import { EXCHANGE_MS } from '../../../src/features/integrations/connect/callback/oauth-callback.js';
import { DEFAULT_EXPIRES_IN } from '../../../src/features/integrations/connect/connect-session.inputs.js';
import { MAX_TOKEN_ANSWER_BYTES } from '../../../src/features/integrations/tokens/oauth-client.js';
import { MAX_IDENTITY_BYTES, MAX_IDENTITY_LENGTH } from '../../../src/features/integrations/tokens/probe.js';
import { MAX_SCOPE_BYTES, MAX_SCOPES } from '../../../src/features/integrations/tokens/token-answer.js';
import { MIN_PAUSE_MS, NOTICE_MS } from '../../../src/features/integrations/tokens/token-life.js';
import { RESUMABLE_MS } from '../../../src/features/runs/feed/run-positions.js';
import { MAX_HOPS, REMEMBERED_MS } from '../../../src/features/runs/queue/firings.js';
import { BLOCKED_MS, RUN_MS } from '../../../src/features/runs/execution/apply-outcome.js';
import { MAX_ATTEMPTS } from '../../../src/platform/http/backoff.js';
import { ATTEMPT_MS } from '../../../src/features/runs/execution/run-step.js';
import { MAX_WORKERS_LOST } from '../../../src/features/runs/execution/claim-runs.js';
import { MAX_OUTPUT_BYTES } from '../../../src/features/runs/execution/step-output.js';
import { KEPT_MS as DELETED_MS } from '../../../src/features/runs/retention/deleted-workflows.job.js';
import { LISTED_BYTES } from '../../../src/features/runs/run-columns.js';
import { MAX_MATCHED } from '../../../src/features/runs/bulk/bulk-items.js';
import { MAX_LEFT } from '../../../src/features/runs/bulk/bulk-requests.js';
import { SEARCHED_RUNS } from '../../../src/features/runs/run-search.js';
import { MAX_WAITING } from '../../../src/features/triggers/app-events/fan-outs.js';
import { MAX_WAITING_TRIGGERS } from '../../../src/features/triggers/changes/waiting-changes.js';
import { MAX_AT_ONCE } from '../../../src/features/triggers/fan-outs.js';
import { MAX_FORM_FIELDS } from '../../../src/features/triggers/hooks/hook-body.js';
import { MAX_HOOK_BYTES } from '../../../src/features/triggers/hooks/inbound-post.js';
import { LATE_MS } from '../../../src/features/triggers/schedules/schedule-ticks.js';
import { MAX_TRIGGERS, MAX_TRIGGERS_OF_ACCOUNT } from '../../../src/features/triggers/trigger-limits.js';
import { KEPT_DAYS } from '../../../src/features/webhooks/record-events.js';
import { DELAYS_MS } from '../../../src/features/webhooks/sending/retry-schedule.js';
import { FAILING_MS } from '../../../src/features/webhooks/sending/settle-delivery.js';
import { MAX_FORMER_SECRETS, OVERLAP_MS } from '../../../src/features/webhooks/webhook-secret.js';
import { MAX_WAITING_DELIVERIES } from '../../../src/features/webhooks/sending/backlogs.job.js';
import { MAX_WEBHOOKS } from '../../../src/features/webhooks/webhook.service.js';
import { MAX_KEYS } from '../../../src/features/api-keys/api-key.statements.js';
import { MAX_PEOPLE } from '../../../src/features/users/people-limit.js';
import { INVITATIONS } from '../../../src/features/users/sign-in/attempt-limits.js';
import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';
import { table } from '../markdown.js';
import { bytes, count, time } from './amounts.js';
import { Bounds } from './bounds.js';

type Limit = readonly [what: string, number: string, past: string];

const INVALID = '400 `validation_error`';
const DOCUMENT = '400 `GRAPHQL_VALIDATION_FAILED`';
const LIMITED = '429 `rate_limited`';

/** The limits of the service, from the constants that enforce them. */
function limits(openApi: OpenApi): Readonly<Record<string, readonly Limit[]>> {
  const bounds = new Bounds(openApi);
  const setting = (name: string): number => Number(VARIABLES.find((each) => each.name === name)!.default);
  return {
    Requests: [
      ['A body of REST or GraphQL', bytes(MAX_BODY_BYTES), '413 `payload_too_large`'],
      ['Nesting of any JSON', `${MAX_JSON_LEVELS} levels`, `${INVALID}; a provider’s response counts as invalid`],
      [
        'Bytes of a body before its key or token is verified; of all such bodies in a process',
        `${bytes(UNKNOWN_BYTES)}; ${bytes(UNKNOWN_SPACE)}`,
        'not read further; 503 `unavailable`',
      ],
      ['A response', bytes(ANSWER_BYTES), '400 `answer_too_large`'],
      [
        `Responses of more than ${bytes(LONG_ANSWER_BYTES)} of a process, all accounts together, until their clients have read them`,
        `${bytes(TEXT_SPACE)}; two thirds of one account`,
        `reads wait; after ${time(ANSWER_PATIENCE_MS)} ${LIMITED}`,
      ],
      ['An `Idempotency-Key`', `${bounds.ofHeader('Idempotency-Key')} visible ASCII characters`, INVALID],
      ['Retention of the response for an `Idempotency-Key`', time(REPLAYED_MS), 'the key counts as new'],
      [
        'A response that is kept for an `Idempotency-Key`',
        bytes(MAX_KEPT_BYTES),
        '400 `answer_too_large`, and nothing has changed; if an application was called, a repetition gets 409 `conflict`',
      ],
      [
        `Such responses of more than ${bytes(SHORT_BYTES)} of an account, per machine`,
        `${bytes(KEPT_OF_ACCOUNT)} at once, and the same again in the course of a day`,
        `${LIMITED}, and nothing has changed; if an application was called, likewise`,
      ],
      [
        'An `Idempotency-Key` whose process died',
        `usable after ${time(ABANDONED_MS)}`,
        '409 `idempotency_in_progress` until then',
      ],
      ['`?wait=`', `1 to ${bounds.of('GetRun', 'wait')} s`, INVALID],
      ['Long polls (`?wait=`) of a key, per machine', count(WAITS_PER_KEY), LIMITED],
      [
        'Requests of an HTTP/1.1 connection that wait for the one before them (pipelining)',
        `${count(MAX_PIPELINED)}, with ${bytes(MAX_HEAD_BYTES)} of heads`,
        'further ones are not executed, and the connection ends after those that wait',
      ],
      [
        'Concurrent statements of an account in a process; expensive ones',
        `all connections but ${KEPT_FREE}; ${EXPENSIVE}`,
        `wait for their turn; after ${time(TURN_MS)} ${LIMITED}, or 503 if other accounts use the database`,
      ],
    ],
    'Rates, per second': [
      [
        'Reads of a key (`RATE_LIMIT_READ`); its writes (`RATE_LIMIT_WRITE`)',
        `${setting('RATE_LIMIT_READ')}; ${setting('RATE_LIMIT_WRITE')}, in bursts of twice as many`,
        LIMITED,
      ],
      [
        'New subscriptions on the sockets of a key (`RATE_LIMIT_SUBSCRIBE`)',
        `${setting('RATE_LIMIT_SUBSCRIBE')}, likewise`,
        'wait up to 30 s for their turn',
      ],
      [
        'Posts to one hook (`RATE_LIMIT_HOOK`); their bytes (`RATE_LIMIT_HOOK_BYTES`)',
        `${setting('RATE_LIMIT_HOOK')}; ${bytes(setting('RATE_LIMIT_HOOK_BYTES'))}, likewise`,
        LIMITED,
      ],
      [
        'Posts to all hooks and events of an account that runs and webhooks of the service cause (`Workflow-Hops` from 1)',
        `${setting('RATE_LIMIT_HOOK')}, likewise`,
        LIMITED,
      ],
      [
        'Refusals because of these rates, for each key, account or hook, per process',
        `${REFUSALS.perSecond}, after the first ${REFUSALS.atOnce}`,
        `come later, by at most ${time(LONGEST_MS)}`,
      ],
      [
        '401, 404 of an unknown hook, callback or address for events, and 429 of a sign-in to a network: an IPv4 address, or the first 64 bits of an IPv6 address; per process',
        `${REFUSALS.perSecond}, after the first ${REFUSALS.atOnce}`,
        `come later, by at most ${time(LONGEST_MS)}`,
      ],
      [
        'Requests that need no key (pages, `/auth`, monitoring, preflights), and WebSockets, of a network, per process',
        `${KEYLESS.perSecond}, after the first ${count(KEYLESS.atOnce)}`,
        `come later, by at most ${time(LONGEST_MS)}`,
      ],
    ],
    'GraphQL documents': [
      ['Tokens', count(LIMITS.tokens), DOCUMENT],
      ['Depth: a root field is 1, fragments count where they are spread', count(LIMITS.depth), DOCUMENT],
      ['Aliases', count(LIMITS.aliases), DOCUMENT],
      ['Root fields', count(LIMITS.rootFields), DOCUMENT],
      [
        'Nodes: the product of the requested page sizes, and of the longest lists without one',
        count(LIMITS.nodes),
        DOCUMENT,
      ],
      ['Previews of schedules (`cronPreview`)', count(LIMITS.previews), DOCUMENT],
      ['Selections, with fragments spread', count(LIMITS.selections), DOCUMENT],
      ['Bytes of variables, counted at each use', bytes(LIMITS.variableBytes), DOCUMENT],
      ['Time', time(OPERATION_TIMEOUT_MS), '503 `UNAVAILABLE`'],
    ],
    Subscriptions: [
      ['Subscriptions of a socket', count(SUBSCRIPTIONS_PER_SOCKET), '`RATE_LIMITED` for that subscription'],
      [
        'Sockets of a key; its event streams; each per machine',
        `${count(CONNECTIONS_PER_KEY)}; ${count(CONNECTIONS_PER_KEY)}`,
        'closed with 4429; 429',
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
      ['An event', bytes(EVENT_BYTES), 'large fields are null; `extensions.omitted` names them'],
      [
        'Unread bytes of a socket or stream; of an account in a process',
        `${bytes(UNREAD_OF_READER)}; ${bytes(UNREAD_OF_ACCOUNT)}`,
        'closed with 1013; a stream is cut',
      ],
      ['Time without progress while events are unread', time(PROGRESS_MS), 'likewise'],
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
    'Workflows and triggers': [
      ['Actions of a workflow', count(MAX_ACTIONS), INVALID],
      ['Triggers of a workflow; of an account', `${MAX_TRIGGERS}; ${count(MAX_TRIGGERS_OF_ACCOUNT)}`, INVALID],
      [
        'A post to a hook or a callback, a text also as a JSON string; an event of an application',
        bytes(MAX_HOOK_BYTES),
        '413 `payload_too_large`',
      ],
      ['Fields of a form that is posted to a hook', count(MAX_FORM_FIELDS), '413'],
      ['Deduplication of a post', time(REMEMBERED_MS), 'a later repetition fires again'],
      ['A tick of a schedule while no worker runs', `missed after ${time(LATE_MS)}`, 'see `catch_up`'],
      [
        'Consecutive runs that fire each other (header `Workflow-Hops`)',
        count(MAX_HOPS),
        'a skipped run, reason `loop`',
      ],
      ['Runs that one event creates at once', count(MAX_AT_ONCE), 'the others follow, after the 202'],
      ['Events of an account that still have runs to create', count(MAX_WAITING), LIMITED],
      ['Triggers that one change of a connection reports to webhooks at once', count(MAX_AT_ONCE), 'the others follow'],
      [
        'Triggers of an account whose changes are still to be reported',
        count(MAX_WAITING_TRIGGERS),
        `${LIMITED} for a new connection; never for the end of one`,
      ],
    ],
    'Runs and steps': [
      ['Runs of a bulk operation', count(MAX_MATCHED), INVALID],
      ['Runs that all bulk operations of an account have left', count(MAX_LEFT), '409 `conflict`'],
      ['A run', time(RUN_MS), 'fails, `run_timeout`'],
      ['A call to an application', time(CALL_MS), '`timeout`; retried'],
      [
        'An attempt of a step: its call, with the wait for a slot and a renewal of the token',
        time(ATTEMPT_MS),
        'likewise',
      ],
      ['Its response', bytes(MAX_ANSWER_BYTES), 'the step fails, `too_large`'],
      ['Characters of its host with its port', count(MAX_AUTHORITY), 'the URL is not valid'],
      [
        'Bytes of a server until its TLS handshake ends, nearly all of them certificates; time of a step of a handshake',
        `${bytes(MAX_HANDSHAKE_BYTES)}; ${LONG_STEP_MS} ms`,
        'the call fails, `network`; after a longer step the calls of the account wait a hundred times as long',
      ],
      ['TLS session tickets of its connection', count(MAX_TICKETS), 'the call fails, `too_large`'],
      [
        'Chunks of its response; informational responses (1xx) before it',
        `${count(FREE_CHUNKS)}, and one for each ${BYTES_OF_CHUNK} bytes; ${MAX_INTERIM}`,
        'likewise',
      ],
      [
        'Bytes before the body of its response; around the body (framing, headers)',
        `${bytes(BEFORE_BODY_BYTES)}; ${bytes(AROUND_BODY_BYTES)} and as many as the body has`,
        'likewise',
      ],
      [
        'Bytes that the calls and deliveries of an account receive per second, in a process',
        `${bytes(RECEIVED_PER_SECOND)}, in bursts of four times as many`,
        'further ones wait, within their time',
      ],
      ['Attempts of a step', count(MAX_ATTEMPTS), 'the step fails'],
      ['A config with its placeholders filled in', bytes(MAX_RENDERED_BYTES), 'the step fails, `too_large`'],
      [
        'Stored output of a step',
        bytes(MAX_OUTPUT_BYTES),
        'the rest is cut, and `output.truncated` is true; a later step that reads its `body` fails, `too_large`',
      ],
      ['`seconds` of a `delay`', count(MAX_SECONDS), INVALID],
      [
        'The search text of `contains`',
        `${count(MAX_WANTED_CHARACTERS)} characters`,
        `${INVALID}; \`invalid_config\` if it comes from a placeholder`,
      ],
      [
        'Recipients of mails from the steps of an account per day (UTC)',
        `${count(setting('MAIL_LIMIT'))} (\`MAIL_LIMIT\`)`,
        'the step fails, `too_many_mails`',
      ],
      ['Time of a wait', `${count(MIN_WAIT_SECONDS)} to ${count(MAX_WAIT_SECONDS)} seconds`, INVALID],
      ['Pending waits of an account', count(MAX_PENDING), 'the step fails, `too_many_waits`'],
      ['The comment of an approval', `${count(MAX_COMMENT)} characters`, INVALID],
      ['Consecutive workers that die over a run', count(MAX_WORKERS_LOST), 'fails, `worker_lost`'],
      [
        'Retention of runs',
        `${setting('RUN_RETENTION_DAYS')} days (\`RUN_RETENTION_DAYS\`); of a deleted workflow ${time(DELETED_MS)}`,
        'deleted',
      ],
    ],
    Connections: [
      [
        '`callApplication`: all its attempts; `retries`',
        `${time(CLIENT_CALL_MS)}; 0 to 5`,
        '502 `provider_unavailable`',
      ],
      ['Its response', bytes(CLIENT_ANSWER_BYTES), 'the rest is cut; `truncated` is true'],
      ['A request through the proxy, with its response', time(PROXY_MS), '504'],
      ['The body of a request through the proxy', bytes(MAX_PROXIED_BODY_BYTES), '413 `payload_too_large`'],
      ['The body of its response', bytes(MAX_PROXIED_ANSWER_BYTES), '502, or the connection is cut'],
      [
        'Calls to one host, of all accounts; of one account',
        `${PER_HOST}; ${PER_ACCOUNT}`,
        `wait; after ${time(SLOT_PATIENCE_MS)} ${LIMITED}, a step later`,
      ],
      ['A block that an application asks for with `Retry-After`', time(MAX_BLOCK_MS), 'is shortened to that'],
      ['A step whose application asks for nothing but to wait', time(BLOCKED_MS), 'fails, `rate_limited`'],
      ['An OAuth flow, from its start to the callback', time(FLOW_MS), 'ends, `authorization_timed_out`'],
      ['OAuth flows of an account that have not ended', count(MAX_OPEN_FLOWS), LIMITED],
      [
        'OAuth callbacks of an account that begin; that store their outcomes, in a process at the same time',
        `${CALLBACKS_AT_ONCE}; ${CALLBACKS_AT_ONCE}`,
        'further ones wait',
      ],
      [
        'How long a callback waits for its turn and the database: before the exchange; after it',
        `${time(CALLBACK_PATIENCE_MS)}; ${time(CALLBACK_PATIENCE_MS)}`,
        '503: a page that repeats the callback; the flow ends, `exchange_failed`',
      ],
      ['The exchange of the code and the request for the identity', time(EXCHANGE_MS), 'ends, `exchange_failed`'],
      ['A response with tokens', bytes(MAX_TOKEN_ANSWER_BYTES), '`exchange_failed`; a renewal is tried again later'],
      [
        'Scopes of a connection',
        `${MAX_SCOPES}, of ${bytes(MAX_SCOPE_BYTES)} in all`,
        'the others are not shown; the connection works',
      ],
      [
        'A response that names the account at the application',
        bytes(MAX_IDENTITY_BYTES),
        '`verification_failed`; an API key is connected without an account',
      ],
      [
        'Characters of the id of that account; of its name',
        `${MAX_IDENTITY_LENGTH}; ${MAX_IDENTITY_LENGTH}`,
        'likewise; the rest is cut',
      ],
      [
        'Renewals of tokens ahead of time under way in a process',
        `${RENEWALS_AT_ONCE}; at most ${RENEWALS_AT_ONCE * 0.5} of an account and ${RENEWALS_AT_ONCE * 0.8} of a provider`,
        'come later; some are always left to others',
      ],
      [
        'Between two renewals of a token ahead of time',
        `about ${time(MIN_PAUSE_MS)} at least`,
        'a token that lives less is renewed before use',
      ],
      [
        'A connect session',
        `${bounds.of('CreateConnectSession', 'expires_in', 'minimum')} to ${bounds.of('CreateConnectSession', 'expires_in')} s, ${count(DEFAULT_EXPIRES_IN)} by default`,
        '401',
      ],
      ['The mail before the end of a connection without renewal', `${time(NOTICE_MS)} before`, ''],
    ],
    'Outbound webhooks': [
      ['Webhooks of an account', count(MAX_WEBHOOKS), INVALID],
      [
        'Waiting deliveries of an account, without those that were requested again',
        count(MAX_WAITING_DELIVERIES),
        'the webhooks with the most are disabled within seconds, `backlog`',
      ],
      ['Attempts of a delivery', `${DELAYS_MS.length}, each after ${DELAYS_MS.map(time).join(', ')}`, '`failed`'],
      ['Failures without a success', time(FAILING_MS), 'disabled, `failing`'],
      ['Signatures by a former secret after a rotation', time(OVERLAP_MS), ''],
      ['Former secrets that still sign', count(MAX_FORMER_SECRETS), '409 `conflict` for a rotation'],
      ['Retention of deliveries', `${KEPT_DAYS} days`, 'deleted'],
    ],
    'People and keys': [
      ['Users and open invitations of an account, together', count(MAX_PEOPLE), INVALID],
      [
        'Invitations that an account mails, per machine',
        `${INVITATIONS.burst} at once, then one every ${time(INVITATIONS.seconds * 1_000)}`,
        LIMITED,
      ],
      ['API keys of an account that are neither revoked nor expired', count(MAX_KEYS), INVALID],
    ],
  };
}

/** A table for each group. */
export function limitTables(openApi: OpenApi): string {
  return Object.entries(limits(openApi))
    .map(([group, rows]) => `## ${group}\n\n${table(['What', 'Limit', 'Beyond it'], rows)}`)
    .join('\n\n');
}
