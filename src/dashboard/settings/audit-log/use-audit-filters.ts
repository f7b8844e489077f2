import { useMemo } from 'react';
import { serviceNow } from '../../graphql/service-clock.js';
import { periodOf } from '../../runs/list/period.js';
import { useUrlValues } from '../../ui/tables/use-url-value.js';
import { type AuditLogQueryVariables } from './audit-log.generated.js';

/** The filters of the audit log, as the service takes them. */
export type AuditFilters = Omit<AuditLogQueryVariables, 'page' | 'perPage'>;

/** The filters in the URL: `?action=`, `?actor=`, `?resource=`, `?time=`. */
export function useAuditFilters(): { filters: AuditFilters; any: boolean } {
  const { valueOf } = useUrlValues();
  const [action, actor, resource] = [valueOf('action'), valueOf('actor'), valueOf('resource').trim()];
  const [time, from, to] = [valueOf('time'), valueOf('from'), valueOf('to')];
  // Computed when the filter was chosen: otherwise every render would be a new query.
  const period = useMemo(() => periodOf(time, new Date(serviceNow()), { from, to }), [time, from, to]);
  const filters = useMemo(
    () => ({
      action: action || undefined,
      actor: actor || undefined,
      resource: resource || undefined,
      ...period,
    }),
    [action, actor, resource, period],
  );
  return { filters, any: [action, actor, resource, time].some((value) => value !== '') };
}
