import { MAX_JSON_LEVELS } from '../../../../src/platform/graphql/scalars.js';
import { MAX_BODY_BYTES } from '../../../../src/platform/http/inbound/inbound-body.js';
import {
  ANSWER_SPACE as TEXT_SPACE,
  LARGE_ANSWERS,
  LONG_ANSWER_BYTES,
} from '../../../../src/platform/admission/answers.js';
import { PATIENCE_MS as ANSWER_PATIENCE_MS } from '../../../../src/platform/admission/no-turn.js';
import { AT_ONCE_MS, MOMENT_MS } from '../../../../src/platform/admission/responses/result-turns.js';
import { ANSWER_BYTES } from '../../../../src/platform/admission/responses/answer-too-large.js';
import { UNKNOWN_BYTES, UNKNOWN_SPACE } from '../../../../src/platform/admission/body-budget.js';
import {
  KEYLESS,
  KEYLESS_REPEATED,
  KEYLESS_TOGETHER,
  REFUSALS,
  STRANGERS,
} from '../../../../src/platform/admission/response-pace.js';
import { EXPENSIVE, KEPT_FREE, PATIENCE_MS as TURN_MS } from '../../../../src/platform/admission/turns.js';
import { WAITS_PER_KEY } from '../../../../src/platform/long-poll.js';
import { MAX_KEPT_BYTES } from '../../../../src/platform/repetition.js';
import { MAX_HEAD_BYTES, MAX_PIPELINED } from '../../../../src/transports/gateway/pipelines.js';
import { ABANDONED_MS, KEPT_MS as REPLAYED_MS } from '../../../../src/features/idempotency/idempotency.service.js';
import { KEPT_OF_ACCOUNT, SHORT_BYTES } from '../../../../src/features/idempotency/kept-bytes.js';
import { bytes, count, time } from '../amounts.js';
import { type Bounds } from '../bounds.js';
import { INVALID, LIMITED, type Limits, setting } from './limit.js';

/** The limits of requests and their rates. */
export function requestLimits(bounds: Bounds): Limits {
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
      [
        `Responses for which a process reads more than ${bytes(LONG_ANSWER_BYTES)} at the same time`,
        `${count(LARGE_ANSWERS)}; two thirds of one account`,
        `further ones wait; after ${time(ANSWER_PATIENCE_MS)} ${LIMITED}`,
      ],
      [
        'Results that an account begins at once while other accounts have work, by the time that they are estimated to take',
        `${AT_ONCE_MS} ms in ${MOMENT_MS} ms`,
        `further ones wait while the service is busy; after ${time(ANSWER_PATIENCE_MS)} ${LIMITED}`,
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
        `come later, by at most ${time(REFUSALS.longestMs)}`,
      ],
      [
        'Refusals (400) of GraphQL documents and their variables, for each account, per process',
        `${REFUSALS.perSecond}, after the first ${REFUSALS.atOnce}`,
        `come later, by at most ${time(REFUSALS.longestMs)}; until then their socket handles no further message`,
      ],
      [
        '401, 404 of an unknown hook, callback or address for events, 410 of a callback, and 429 of a sign-in to a network: an IPv4 address, or the first 64 bits of an IPv6 address; per process',
        `${STRANGERS.perSecond}, after the first ${STRANGERS.atOnce}`,
        `come later, by at most ${time(STRANGERS.longestMs)}`,
      ],
      [
        'Requests that need no key (pages, `/auth`, monitoring, preflights), and WebSockets, of a network, per process',
        `${KEYLESS.perSecond}, after the first ${count(KEYLESS.atOnce)}; of those that arrive together one a millisecond, after the first ${KEYLESS_TOGETHER.atOnce}`,
        `come later, by at most ${time(KEYLESS.longestMs)}; requests beyond ${KEYLESS_REPEATED.perSecond} a second after the first ${count(KEYLESS_REPEATED.atOnce)}, by at most ${time(KEYLESS_REPEATED.longestMs)}`,
      ],
    ],
  };
}
