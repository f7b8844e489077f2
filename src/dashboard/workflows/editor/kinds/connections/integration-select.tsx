import { Link } from 'react-router';
import { SearchSelect } from '../../../../ui/forms/search-select.js';
import { statusLabel } from '../../../../ui/values/status-badge.js';
import { faultAt, useEditing } from '../../editing.js';
import { type Connection, useConnections } from './use-connections.js';

/** The choice of the connection for a request, with a link to create one if there is none. */
export function IntegrationSelect() {
  const { action, setText } = useEditing();
  const { items, state, id, chosen } = useConnections();
  const known = items.map((item) => ({
    value: item.id,
    label: labelOf(item),
  }));
  const isUnknown = id !== '' && state === 'all' && chosen === undefined;
  const none = state === 'all' && known.length === 0;
  return (
    <SearchSelect
      label="Connection"
      placeholder={none ? 'Nothing is connected yet' : 'Choose a connection'}
      data={isUnknown ? [...known, { value: id, label: `${id} (not found)` }] : known}
      value={id === '' ? null : id}
      onChange={(value) => setText('integration_id', value ?? '')}
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

/** The reference tells the connections of several end users apart. */
function labelOf({ name, type, reference, status }: Connection): string {
  const named = name === type ? name : `${name} (${type})`;
  return [named, reference, status === 'CONNECTED' ? null : statusLabel(status)]
    .filter((part) => part !== null)
    .join(' · ');
}
