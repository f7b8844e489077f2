import { Select } from '@mantine/core';
import { Link } from 'react-router';
import { statusLabel } from '../../../ui/status-badge.js';
import { useAllPages } from '../../../ui/use-all-pages.js';
import { faultAt, useEditing } from '../editing.js';
import { ConnectionsDocument, type ConnectionsQuery } from './connections.generated.js';

/** The connection that a request goes to, with the way to make one where there is none. */
export function IntegrationSelect() {
  const { action, setText } = useEditing();
  const { items, state } = useAllPages(ConnectionsDocument, integrationsOf);
  const chosen = action.values.texts.integration_id ?? '';
  const known = items.map(({ id, name, type, status }) => ({
    value: id,
    label: `${name}${name === type ? '' : ` (${type})`}${status === 'CONNECTED' ? '' : ` · ${statusLabel(status)}`}`,
  }));
  const isUnknown = chosen !== '' && state === 'all' && !known.some(({ value }) => value === chosen);
  const none = state === 'all' && known.length === 0;
  return (
    <Select
      label="Connection"
      placeholder={none ? 'Nothing is connected yet' : 'Choose a connection'}
      data={isUnknown ? [...known, { value: chosen, label: `${chosen} (not found)` }] : known}
      value={chosen === '' ? null : chosen}
      onChange={(value) => setText('integration_id', value ?? '')}
      searchable
      openOnFocus={false}
      nothingFoundMessage={none ? 'Nothing is connected yet.' : 'No connection has this name.'}
      error={faultAt(action, 'config.integration_id')}
      description={
        none ? (
          <>
            First <Link to="/integrations">connect an application</Link>.
          </>
        ) : undefined
      }
    />
  );
}

function integrationsOf({ integrations }: ConnectionsQuery): ConnectionsQuery['integrations'] {
  return integrations;
}
