import { Dialog } from '../../ui/dialogs/dialog.js';
import { ReconnectByKey } from '../connect/reconnect-by-key.js';
import { ReconnectByOAuth } from '../flow/reconnect-by-oauth.js';
import { type OAuthFlow } from '../flow/use-oauth-flow.js';
import { type Reconnecting } from '../reconnectable.js';

/** Asks for a new key, or shows the progress of the `flow`. */
export function ReconnectDialog({ opened, about, flow, onClose }: ReconnectDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Reconnect ${about.integration.name}`}>
      {flow === undefined ? (
        <ReconnectByKey {...about} onClose={onClose} />
      ) : (
        <ReconnectByOAuth {...about} flow={flow} onClose={onClose} />
      )}
    </Dialog>
  );
}

export interface ReconnectDialogProps {
  opened: boolean;
  about: Reconnecting;
  /** Undefined for a connection by key. */
  flow: OAuthFlow<Reconnecting> | undefined;
  onClose: () => void;
}
