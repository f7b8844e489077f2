import { type Block, type Composed, composeMail } from '../../../platform/mail/compose-mail.js';
import { type Dependents } from './dependents.js';

/** The content of a mail about a connection. */
export interface MailedIntegration {
  id: string;
  /** The label. */
  name: string;
  /** The name of the application. */
  appName: string;
  accountName: string;
  reference: string | null;
  /** The account at the application, if it is known. */
  externalName: string | null;
  dependents: Dependents;
  /** The public URL of the service. */
  baseUrl: string;
}

/** A mail about a connection: what happened, which workflows depend on it, and how to connect it again. */
export function integrationMail(subject: string, what: string, integration: MailedIntegration): Composed {
  const { id, baseUrl } = integration;
  return composeMail(subject, [
    `${described(integration)} ${what}`,
    ...listed(integration),
    `To connect it again, open the dashboard, or send POST ${baseUrl}/v1/integrations/${id}/reconnect. Its id and its triggers stay.`,
    { link: `${baseUrl}/` },
  ]);
}

/** A label in quotation marks, for a sentence. */
export function quoted(name: string): string {
  return `“${name}”`;
}

function described({ id, name, appName, accountName, reference, externalName }: MailedIntegration): string {
  const facts = [
    appName,
    id,
    ...(externalName === null ? [] : [`connected as ${externalName}`]),
    ...(reference === null ? [] : [`reference ${reference}`]),
  ];
  return `The connection ${quoted(name)} (${facts.join(', ')}) of the account ${quoted(accountName)}`;
}

/** The workflows that name the connection. Those that use it by its reference are not known before their runs. */
function listed({ dependents: { names, total }, reference }: MailedIntegration): Block[] {
  const byReference = reference === null ? [] : ['Workflows may still use it by its type and reference.'];
  if (total === 0) return [reference === null ? 'No workflow depends on it.' : 'No workflow names it.', ...byReference];
  const more = total - names.length;
  return [
    total === 1 ? 'One workflow depends on it:' : `${total} workflows depend on it:`,
    { items: more > 0 ? [...names, `and ${more} more`] : names },
    ...byReference,
  ];
}
