import { type Composed } from '../../../platform/mail/compose-mail.js';
import { type StatusReason } from '../changes/integration-status.js';
import { integrationMail, type MailedIntegration, quoted } from './integration-mail.js';

/** The reasons for which a connection breaks without a person's action, and their texts. */
const BREAKS = {
  token_expired: 'has expired: its access ended and could not be renewed.',
  refresh_refused: 'has expired: the application no longer accepts its access, or refused to renew it.',
  key_refused: 'is disconnected: the application no longer accepts its API key.',
} as const satisfies Partial<Record<StatusReason, string>>;

/** Why a connection broke. */
export type BreakReason = keyof typeof BREAKS;

/** Whether a reason means that a connection broke, not that a person ended it. */
export function isBreak(reason: StatusReason): reason is BreakReason {
  return Object.hasOwn(BREAKS, reason);
}

/** The mail about a broken connection. */
export function brokenMail(integration: MailedIntegration, reason: BreakReason): Composed {
  return integrationMail(`Connection ${quoted(integration.name)} needs attention`, BREAKS[reason], integration);
}
