import { MAX_WANTED_CHARACTERS } from '../../../../src/features/actions/kinds/condition.js';
import { MAX_SECONDS } from '../../../../src/features/actions/kinds/delay.js';
import { MAX_AUTHORITY } from '../../../../src/platform/http/outbound/addresses.js';
import { LONG_STEP_MS, MAX_HANDSHAKE_BYTES } from '../../../../src/platform/http/outbound/limits/handshake-limit.js';
import { MAX_TICKETS } from '../../../../src/platform/http/outbound/limits/tls-limit.js';
import { BYTES_OF_CHUNK, FREE_CHUNKS } from '../../../../src/platform/http/outbound/limits/chunk-limit.js';
import { MAX_INTERIM } from '../../../../src/platform/http/outbound/exchange.js';
import { RECEIVED_PER_SECOND } from '../../../../src/platform/admission/byte-rates.js';
import { AROUND_BODY_BYTES, BEFORE_BODY_BYTES } from '../../../../src/platform/http/outbound/limits/wire-limit.js';
import { CALL_MS, MAX_ANSWER_BYTES } from '../../../../src/features/actions/http-step.js';
import { MAX_PARSED_MEMBERS } from '../../../../src/features/actions/placeholders/output-value.js';
import { MAX_RENDERED_BYTES } from '../../../../src/features/actions/placeholders/render.js';
import { MAX_ACTIONS } from '../../../../src/features/actions/validate-actions.js';
import { MAX_WAIT_SECONDS, MIN_WAIT_SECONDS } from '../../../../src/features/actions/wait-timeout.js';
import { MAX_PENDING } from '../../../../src/features/waits/arrivals.js';
import { MAX_COMMENT } from '../../../../src/features/waits/wait.inputs.js';
import { MAX_HOPS, REMEMBERED_MS } from '../../../../src/features/runs/queue/firings.js';
import { RUN_MS } from '../../../../src/features/runs/execution/apply-outcome.js';
import { MAX_ATTEMPTS } from '../../../../src/platform/http/backoff.js';
import { ATTEMPT_MS } from '../../../../src/features/runs/execution/run-step.js';
import { MAX_WORKERS_LOST } from '../../../../src/features/runs/execution/claim-runs.js';
import { MAX_OUTPUT_BYTES } from '../../../../src/features/runs/execution/step-output.js';
import { KEPT_MS as DELETED_MS } from '../../../../src/features/runs/retention/deleted-workflows.job.js';
import { MAX_MATCHED } from '../../../../src/features/runs/bulk/bulk-items.js';
import { MAX_LEFT } from '../../../../src/features/runs/bulk/bulk-requests.js';
import { MAX_WAITING } from '../../../../src/features/triggers/app-events/fan-outs.js';
import { MAX_LOOKS, MAX_MATCHES } from '../../../../src/features/triggers/app-events/match-tally.js';
import { MAX_WAITING_TRIGGERS } from '../../../../src/features/triggers/changes/waiting-changes.js';
import { MAX_AT_ONCE } from '../../../../src/features/triggers/fan-outs.js';
import { MAX_FORM_FIELDS } from '../../../../src/features/triggers/hooks/hook-body.js';
import { MAX_HOOK_BYTES } from '../../../../src/features/triggers/hooks/inbound-post.js';
import { LATE_MS } from '../../../../src/features/triggers/schedules/schedule-ticks.js';
import { MAX_TRIGGERS, MAX_TRIGGERS_OF_ACCOUNT } from '../../../../src/features/triggers/trigger-limits.js';
import { bytes, count, time } from '../amounts.js';
import { DELIVERY_BYTES, EVENT_BYTES } from '../../../../src/features/webhooks/record-events.js';
import { ATTEMPT_BYTES } from '../../../../src/features/webhooks/sending/webhook-sender.js';
import { RUN_BYTES, STEP_BYTES } from '../../../../src/features/runs/queue/run-bytes.js';
import { WRITE_BYTES } from '../../../../src/platform/admission/daily/stored-bytes.js';
import { INVALID, LIMITED, type Limits, setting } from './limit.js';

/** The limits of workflows, of their runs and of what an account stores. */
export function runLimits(): Limits {
  return {
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
      [
        'Events of an account that still have runs to create',
        `${count(MAX_WAITING)}; a single post may have more while there are none`,
        `${LIMITED}, unless other accounts take the post: then a skipped run, reason \`too_many_events\``,
      ],
      [
        'Triggers that the events of one post fire in an account, in sum; comparisons with triggers and paths of filters for them',
        `${count(MAX_MATCHES)}; ${count(MAX_LOOKS)}`,
        `${INVALID}, and nothing fires; unless other accounts take the post, likewise`,
      ],
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
        'the call fails, `network`; after a longer step the calls of the account wait three hundred times as long',
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
        'Bytes that the calls and deliveries of an account receive per second, in a process; of compressed responses also what they decompress to',
        `${bytes(RECEIVED_PER_SECOND)}, in bursts of four times as many`,
        'further ones wait, within their time',
      ],
      ['Attempts of a step', count(MAX_ATTEMPTS), 'the step fails'],
      [
        'Costly members of a JSON text that a step reads; see [large outputs](actions.md#large-outputs)',
        count(MAX_PARSED_MEMBERS),
        'a response stays a text; a step that reads a value inside of it or of a posted body fails, `too_large`',
      ],
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
    Storage: [
      [
        `Bytes that an account stores, per machine: inputs and outputs of runs, with ${count(RUN_BYTES)} bytes for each run and ${STEP_BYTES} for each step; answers to waits; bodies of writes, with ${bytes(WRITE_BYTES)} for each, over GraphQL for each mutation and with a variable wherever one is used; events, with ${EVENT_BYTES} bytes in the log and again for webhooks; responses kept for an \`Idempotency-Key\`; ${DELIVERY_BYTES} bytes for each delivery; ${ATTEMPT_BYTES} and the response for each attempt`,
        `${count(setting('STORED_LIMIT_MB'))} MB at once, and the same again in the course of a day (\`STORED_LIMIT_MB\`); the only account of an installation has no limit`,
        `${LIMITED} for posts to hooks, events, new runs, retries and other writes, except those that end, pause, delete, answer, call or connect something; at twice as much also for these, except those that end or delete something; a step fails, \`too_much_stored\`; schedules, bulk retries and waiting events about triggers wait for room`,
      ],
    ],
  };
}
