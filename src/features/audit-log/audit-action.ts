import { type IdPrefix } from '../../platform/ids/ids.js';

/** The prefix of the ids of each type of resource. */
export const RESOURCES = {
  account: 'acc',
  api_key: 'key',
  integration: 'int',
  invitation: 'inv',
  trigger: 'trg',
  user: 'usr',
  webhook: 'wh',
  workflow: 'wf',
} as const satisfies Record<string, IdPrefix>;

/** A type of resource, the first word of its actions. */
export type ResourceType = keyof typeof RESOURCES;

/** Every action, with what it says. */
export const AUDIT_ACTIONS = {
  'account.restored': 'The operator restored the database from a backup.',
  'account.updated': 'The settings of the account changed.',
  'api_key.created': 'A key was created, also by the rotation of another one.',
  'api_key.rotated': 'A key was replaced: it ends after the overlap.',
  'api_key.revoked': 'A key was revoked.',
  'integration.created': 'A connection was begun, or created with a key.',
  'integration.updated': 'Name, reference or events secret were set.',
  'integration.reconnecting': 'A new authorization of a connected integration was begun.',
  'integration.pending': 'The person is asked for access again.',
  'integration.connected': 'It was connected, for the first time or again.',
  'integration.expired': 'Its access expired, or a renewal failed.',
  'integration.disconnected': 'It was disconnected, by a caller, the application, or an authorization that failed.',
  'integration.deleted': 'It was deleted.',
  'invitation.created': 'A person was invited.',
  'invitation.revoked': 'An invitation was voided.',
  'trigger.created': 'A trigger was created.',
  'trigger.updated': 'A trigger was changed.',
  'trigger.deleted': 'A trigger was deleted. Those of a deleted workflow have no entry of their own.',
  'user.created': 'A person became a user: by the set-up link or an invitation.',
  'user.updated': 'A user changed their name.',
  'user.removed': 'A user was removed.',
  'user.identity_linked': 'A sign-in by OIDC was added.',
  'user.passkey_added': 'A user added a passkey.',
  'user.passkey_removed': 'A user removed a passkey.',
  'user.password_changed': 'A user changed their password.',
  'user.password_reset_requested': 'A link that resets the password was created.',
  'user.password_reset': 'The password was set by such a link; all sessions ended.',
  'user.sessions_ended': 'A session of the user was ended before its time, or all of them.',
  'webhook.created': 'A webhook was registered.',
  'webhook.updated': 'A webhook was changed.',
  'webhook.deleted': 'A webhook was deleted. Those of a deleted workflow have no entry of their own.',
  'webhook.secret_rotated': 'A webhook got a new secret.',
  'workflow.created': 'A workflow was created.',
  'workflow.updated': 'Name, description, status or the limit of failure notices were set.',
  'workflow.actions_updated': 'The actions were set.',
  'workflow.deleted': 'A workflow was deleted, with its triggers.',
} as const satisfies Record<`${ResourceType}.${string}`, string>;

/** The name of an action. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Whether a text is an action. */
export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, text);
}
