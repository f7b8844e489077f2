import { type Composed } from '../../../platform/mail/compose-mail.js';
import { integrationMail, type MailedIntegration, quoted } from './integration-mail.js';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The mail about a connection that expires soon. Dates are in UTC. */
export function expiringMail(integration: MailedIntegration, expiresAt: Date): Composed {
  const subject = `Connection ${quoted(integration.name)} expires on ${DAY.format(expiresAt)}`;
  const what = `expires on ${MINUTE.format(expiresAt)} UTC. It is not renewed automatically: connect it again before then.`;
  return integrationMail(subject, what, integration);
}
