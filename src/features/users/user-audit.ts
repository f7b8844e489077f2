import { type AuditedChange, type Facts } from '../audit-log/record-audit.js';

type UserAction = Extract<AuditedChange['action'], `user.${string}`>;

/** A change of a user for the audit log: by the id alone, because name and address end with the user. */
export function userAudit(
  action: UserAction,
  { accountId, uuid }: { accountId: string; uuid: string },
  after: Facts | null = null,
): AuditedChange {
  return { accountId, action, resource: uuid, name: null, after };
}

/** The same as a change by that user, whose request has no session of theirs yet. */
export function ownAudit(
  action: UserAction,
  user: { accountId: string; uuid: string },
  after: Facts | null = null,
): AuditedChange {
  return { ...userAudit(action, user, after), by: { kind: 'user', uuid: user.uuid, name: null } };
}
