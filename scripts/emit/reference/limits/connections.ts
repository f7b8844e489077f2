import { MAX_BLOCK_MS } from '../../../../src/platform/http/outbound/retry-after.js';
import { PER_ACCOUNT, PER_HOST, SLOT_PATIENCE_MS } from '../../../../src/platform/admission/target-limits.js';
import {
  CALL_MS as CLIENT_CALL_MS,
  MAX_ANSWER_BYTES as CLIENT_ANSWER_BYTES,
} from '../../../../src/features/integrations/calls/application-calls.js';
import { MAX_PROXIED_ANSWER_BYTES, PROXY_MS } from '../../../../src/features/integrations/calls/application-proxy.js';
import { MAX_PROXIED_BODY_BYTES } from '../../../../src/transports/proxy/proxy-body.js';
import { ABANDONED_MS, RENEWALS_AT_ONCE } from '../../../../src/features/integrations/integration.job.js';
import { FLOW_MS, MAX_OPEN_FLOWS } from '../../../../src/features/integrations/connect/authorization-flow.js';
import {
  CALLBACK_PATIENCE_MS,
  CALLBACKS_AT_ONCE,
  MAX_IN_HAND,
  STORED_WITHIN_MS,
} from '../../../../src/features/integrations/connect/callback/callback-turns.js';
import { EXCHANGE_MS } from '../../../../src/features/integrations/connect/callback/oauth-callback.js';
import { DEFAULT_EXPIRES_IN } from '../../../../src/features/integrations/connect/connect-session.inputs.js';
import { MAX_TOKEN_ANSWER_BYTES } from '../../../../src/features/integrations/tokens/oauth-client.js';
import { MAX_IDENTITY_BYTES, MAX_IDENTITY_LENGTH } from '../../../../src/features/integrations/tokens/probe.js';
import { MAX_SCOPE_BYTES, MAX_SCOPES } from '../../../../src/features/integrations/tokens/token-answer.js';
import { MIN_PAUSE_MS, NOTICE_MS } from '../../../../src/features/integrations/tokens/token-life.js';
import { BLOCKED_MS } from '../../../../src/features/runs/execution/apply-outcome.js';
import { bytes, count, time } from '../amounts.js';
import { type Bounds } from '../bounds.js';
import { LIMITED, type Limits } from './limit.js';

/** The limits of connections and of calls to applications. */
export function connectionLimits(bounds: Bounds): Limits {
  return {
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
        'OAuth callbacks of an account that have used their state and not stored the outcome, in a process at the same time',
        `${MAX_IN_HAND}`,
        'further ones wait',
      ],
      [
        'How long a callback waits for its turn and the database before it uses its state',
        time(CALLBACK_PATIENCE_MS),
        '503: a page that repeats the callback',
      ],
      [
        'The time of a callback after it used its state: its exchange, and its attempts to store the outcome',
        time(STORED_WITHIN_MS),
        `503; the flow ends, \`exchange_failed\`, ${time(ABANDONED_MS)} after the use of its state`,
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
  };
}
