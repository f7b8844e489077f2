import { KEPT_DAYS } from '../../../../src/features/webhooks/record-events.js';
import { DELAYS_MS } from '../../../../src/features/webhooks/sending/retry-schedule.js';
import { FAILING_MS } from '../../../../src/features/webhooks/sending/settle-delivery.js';
import { MAX_FORMER_SECRETS, OVERLAP_MS } from '../../../../src/features/webhooks/webhook-secret.js';
import { MAX_WAITING_DELIVERIES } from '../../../../src/features/webhooks/sending/backlogs.job.js';
import { MAX_WEBHOOKS } from '../../../../src/features/webhooks/webhook.service.js';
import { MAX_KEYS } from '../../../../src/features/api-keys/api-key.statements.js';
import { MAX_PEOPLE } from '../../../../src/features/users/people-limit.js';
import { INVITATIONS } from '../../../../src/features/users/sign-in/attempt-limits.js';
import { count, time } from '../amounts.js';
import { INVALID, LIMITED, type Limits } from './limit.js';

/** The limits of webhooks, people and keys. */
export function accountLimits(): Limits {
  return {
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
