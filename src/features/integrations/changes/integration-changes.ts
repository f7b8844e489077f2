import { ChangeLog } from '../../../platform/changes/change-log.js';
import { IntegrationStatusChange } from './integration-change.entity.js';
import { integrationChanged } from './integration.events.js';

/** The log of all changes of integrations. `ChangeRecorder` writes it. */
export const integrationChanges = new ChangeLog({
  entity: IntegrationStatusChange,
  table: 'integration_changes',
  counter: { table: 'accounts', key: 'id', column: 'change_position' },
  topic: integrationChanged,
});
