import { Select } from '@mantine/core';
import { type Status, statusLabel } from '../values/status-badge.js';
import { useUrlValue } from './use-url-value.js';

/** A filter of statuses, stored in the URL (`?status=active`); the first choice is all. */
export function StatusFilter({ statuses }: { statuses: readonly Status[] }) {
  const [chosen, choose] = useUrlValue('status');
  return (
    <Select
      aria-label="Status"
      data={[
        { value: '', label: 'All statuses' },
        ...statuses.map((status) => ({ value: status.toLowerCase(), label: statusLabel(status) })),
      ]}
      value={statuses.some((status) => status.toLowerCase() === chosen) ? chosen : ''}
      onChange={(value) => choose(value ?? '')}
    />
  );
}

/** The status in the URL, in GraphQL's spelling; undefined for all, and for an unknown value. */
export function useStatusFilter<S extends Status>(statuses: readonly S[]): S | undefined {
  const [chosen] = useUrlValue('status');
  return statuses.find((status) => status.toLowerCase() === chosen);
}
