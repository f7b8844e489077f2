import { Modal } from '@mantine/core';
import { type IntegrationDetail } from './integration-detail.js';
import { ReconnectByKey } from './reconnect-by-key.js';
import { ReconnectByOAuth } from './reconnect-by-oauth.js';

/** Connects the same connection anew, by a new key or a new flow; what depends on it stays as it is. */
export function ReconnectDialog({ integration, opened, onClose }: ReconnectDialogProps) {
  const app = { ...integration.integrationType, type: integration.type, name: nameOf(integration) };
  const props = { app, integration, onClose };
  return (
    <Modal opened={opened} onClose={onClose} title={`Reconnect ${integration.name}`} closeOnClickOutside={false}>
      {integration.integrationType?.auth === 'API_KEY' ? (
        <ReconnectByKey {...props} />
      ) : (
        <ReconnectByOAuth {...props} />
      )}
    </Modal>
  );
}

function nameOf({ integrationType, type }: IntegrationDetail): string {
  return integrationType?.name ?? type;
}

/** A dialog over the connection's page. */
export interface ReconnectDialogProps {
  integration: IntegrationDetail;
  opened: boolean;
  onClose: () => void;
}
