import { Link, useLocation } from 'react-router';
import { SearchSelect } from '../../../../ui/forms/search-select.js';
import { statusLabel } from '../../../../ui/values/status-badge.js';
import { afterConnect } from '../../../../integrations/connect/use-after-connect.js';
import { type Need } from '../../draft-action.js';
import { faultAt, useEditing } from '../../editing.js';
import { type Connection, useConnections } from './use-connections.js';

/**
 * The choice of the connection for a request, with a link to create one if there is none. An action of a template offers
 * only the application that it was written for.
 */
export function IntegrationSelect() {
  const { action, setText } = useEditing();
  const { needs } = action;
  const { items, state, id, chosen } = useConnections();
  const fitting = items.filter(({ type }) => needs === undefined || type === needs.type);
  const known = fitting.map((item) => ({ value: item.id, label: labelOf(item) }));
  const isUnknown = id !== '' && state === 'all' && chosen === undefined;
  const none = state === 'all' && known.length === 0;
  const missing = needs === undefined ? 'Nothing is connected yet' : `${needs.name} is not connected yet`;
  return (
    <SearchSelect
      label="Connection"
      placeholder={none ? missing : 'Choose a connection'}
      data={isUnknown ? [...known, { value: id, label: `${id} (not found)` }] : known}
      value={id === '' ? null : id}
      onChange={(value) => setText('integration_id', value ?? '')}
      openOnFocus={false}
      nothingFoundMessage={none ? `${missing}.` : 'No connection has this name.'}
      error={faultAt(action, 'config.integration_id')}
      description={
        needs !== undefined && id === '' ? (
          <Needed {...needs} works={state !== 'all' || fitting.some(({ status }) => status === 'CONNECTED')} />
        ) : none ? (
          <>
            First <Link to="/integrations">connect an application</Link>.
          </>
        ) : undefined
      }
    />
  );
}

/** Names the application; `works`: one of its connections may be chosen. */
function Needed({ type, name, works }: Need & { works: boolean }) {
  const { pathname } = useLocation();
  return (
    <>
      This action needs {name}.{' '}
      {!works && (
        <Link to={`/integrations/new/${type}`} state={afterConnect(pathname)}>
          Connect {name}
        </Link>
      )}
    </>
  );
}

/** The reference tells the connections of several end users apart. */
function labelOf({ name, type, reference, status }: Connection): string {
  const named = name === type ? name : `${name} (${type})`;
  return [named, reference, status === 'CONNECTED' ? null : statusLabel(status)]
    .filter((part) => part !== null)
    .join(' · ');
}
