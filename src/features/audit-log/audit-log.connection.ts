import { connectionResolver } from '../../platform/graphql/connections.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditFilter } from './audit-log.inputs.js';

/** The audit log as a connection, for persons only. */
export const AuditLogConnectionResolver = connectionResolver({
  name: 'auditLog',
  node: AuditEntry,
  filter: AuditFilter,
  access: 'person',
  description: "The audit log of the account, newest first. Needs a person's session.",
});
