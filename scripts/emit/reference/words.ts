import { AUDIT_ACTIONS } from '../../../src/features/audit-log/audit-action.js';
import { STATUS_REASONS } from '../../../src/features/integrations/changes/integration-status.js';
import { TEST_REASONS } from '../../../src/features/integrations/test-reasons.js';
import { STEP_ERRORS } from '../../../src/features/actions/step-errors.js';
import { RUN_REASONS } from '../../../src/features/runs/run-reasons.js';
import { RUN_TRANSITIONS } from '../../../src/features/runs/run-status.js';
import { DELIVERY_TRANSITIONS, DISABLED_REASONS } from '../../../src/features/webhooks/webhook-status.js';
import { ERROR_KINDS, type ErrorCode } from '../../../src/platform/errors.js';
import { type Transitions } from '../../../src/platform/transitions.js';
import { type Meanings } from '../../../src/platform/word-list.js';
import { CLOSE, CLOSE_MEANINGS } from '../../../src/transports/graphql/subscriptions/close-codes.js';
import { MEANINGS } from '../../../src/transports/rest/openapi/refusals.js';
import { table } from '../markdown.js';

/** Words in backticks, each with what it means. */
export function wordTable(word: string, meaning: string, meanings: Meanings): string {
  return table(
    [word, meaning],
    Object.entries(meanings).map(([each, text]) => [`\`${each}\``, text]),
  );
}

/** Each transition of a status, with what happened. */
function transitionTable(transitions: Transitions<string>): string {
  const names = (states: readonly (string | null)[]) =>
    states.map((status) => (status === null ? '(new)' : `\`${status}\``)).join(', ');
  return table(
    ['From', 'To', 'What happened'],
    Object.values(transitions).map(({ from, to, what }) => [names(from), names(to), what]),
  );
}

export const runTransitions = () => transitionTable(RUN_TRANSITIONS);
export const deliveryTransitions = () => transitionTable(DELIVERY_TRANSITIONS);
export const integrationReasons = () => wordTable('Reason', 'What happened', STATUS_REASONS);
export const testReasons = () => wordTable('Reason', 'What happened', TEST_REASONS);
export const runReasons = () => wordTable('Reason', 'What happened', RUN_REASONS);
export const webhookReasons = () => wordTable('Reason', 'What happened', DISABLED_REASONS);
export const auditActions = () => wordTable('Action', 'What happened', AUDIT_ACTIONS);
export const stepErrors = () => wordTable('Code', 'What happened', STEP_ERRORS);

/** Every code of REST with its status, and how GraphQL spells it. */
export function errorCodes(): string {
  const codes = Object.keys(ERROR_KINDS) as ErrorCode[];
  return table(
    ['Status', 'REST', 'GraphQL', 'When'],
    codes.map((code) => [`${ERROR_KINDS[code].status}`, `\`${code}\``, `\`${code.toUpperCase()}\``, MEANINGS[code]]),
  );
}

/** Every code that a WebSocket is closed with. */
export function closeCodes(): string {
  const names = Object.keys(CLOSE) as (keyof typeof CLOSE)[];
  return table(
    ['Code', 'What it means', 'What a client does'],
    names.sort((a, b) => CLOSE[a] - CLOSE[b]).map((name) => [`${CLOSE[name]}`, ...CLOSE_MEANINGS[name]]),
  );
}
