/** The words for each action of the audit log, by the type of its object. */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  'account.restored': 'Restored from a backup',
  'account.updated': 'Account updated',
  'api_key.created': 'API key created',
  'api_key.rotated': 'API key rotated',
  'api_key.revoked': 'API key revoked',
  'integration.created': 'Connection created',
  'integration.updated': 'Connection updated',
  'integration.reconnecting': 'Reconnection begun',
  'integration.pending': 'Access requested again',
  'integration.connected': 'Connected',
  'integration.expired': 'Connection expired',
  'integration.disconnected': 'Disconnected',
  'integration.deleted': 'Connection deleted',
  'invitation.created': 'Person invited',
  'invitation.revoked': 'Invitation revoked',
  'trigger.created': 'Trigger created',
  'trigger.updated': 'Trigger updated',
  'trigger.deleted': 'Trigger deleted',
  'user.created': 'User joined',
  'user.updated': 'User renamed',
  'user.removed': 'User removed',
  'user.identity_linked': 'Single sign-on added',
  'user.passkey_added': 'Passkey added',
  'user.passkey_removed': 'Passkey removed',
  'user.password_changed': 'Password changed',
  'user.password_reset_requested': 'Password reset requested',
  'user.password_reset': 'Password reset',
  'user.sessions_ended': 'Sessions ended',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook updated',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'workflow.created': 'Workflow created',
  'workflow.updated': 'Workflow updated',
  'workflow.actions_updated': 'Actions updated',
  'workflow.deleted': 'Workflow deleted',
};

/** The words for an action; a new one that the dashboard does not know is shown as it is. */
export function auditWords(action: string): string {
  return AUDIT_WORDS[action] ?? action;
}

const KINDS: Readonly<Record<string, string>> = {
  USER: 'Removed user',
  API_KEY: 'API key',
  CONNECT_SESSION: 'Connect session',
  COMMAND: 'Command',
  SERVICE: 'The service',
};

/** The author of an entry in words. */
export function actorWords({ kind, name }: { kind: string; name: string | null }): string {
  if (kind === 'API_KEY' && name !== null) return `API key “${name}”`;
  return name ?? KINDS[kind] ?? kind;
}

/** The fields that an entry changed, as `status: draft → active`; of a new or deleted object none. Versions say nothing. */
export function changesInWords(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): string[] {
  if (before === null || after === null) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !name.endsWith('_version') && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => `${name}: ${valueInWords(before[name])} → ${valueInWords(after[name])}`);
}

function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(itemInWords).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Actions are listed by their names. */
function itemInWords(item: unknown): string {
  return typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : valueInWords(item);
}
