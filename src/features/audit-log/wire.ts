import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { dropAuditEntriesJob } from './audit-log.job.js';
import { AuditLogConnectionResolver } from './audit-log.connection.js';
import { AuditLogResolver } from './audit-log.resolver.js';
import { AuditLogService } from './audit-log.service.js';

/** Wires reading the audit log. The features that change something write it, by `recordAudit`. */
export function wireAuditLog({ db, clock }: Platform): Feature {
  const service = new AuditLogService(db);
  return {
    resolvers: [
      new AuditLogResolver(service),
      new AuditLogConnectionResolver((context, filter, span, { counts }) =>
        service.list(context, filter, span, counts),
      ),
    ],
    jobs: [dropAuditEntriesJob(db, clock)],
  };
}
