import { type ReactNode } from 'react';
import { notifyDone } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { lazyDialog } from '../ui/dialogs/lazy-dialog.js';
import { useDialogOf } from '../ui/forms/use-dialog-of.js';
import { ReconnectIntegrationDocument } from './connect.generated.js';
import { type Reconnectable, type Reconnecting } from './reconnectable.js';
import { useOAuthFlow } from './flow/use-oauth-flow.js';

const ReconnectDialog = lazyDialog(async () => (await import('./dialogs/reconnect.dialog.js')).ReconnectDialog);

/**
 * Reconnects a connection; everything that depends on it stays unchanged. `reconnect` must be called in a click
 * handler; it opens the application's window at once, or asks for a new key. `dialog` shows the progress. It belongs to
 * the page, so that it stays when its row disappears.
 */
export function useReconnect(): { reconnect: (integration: Reconnectable) => void; dialog: ReactNode } {
  const { about, opened, open, close } = useDialogOf<Reconnecting>();
  const flow = useReconnectFlow(close);
  const isByKey = about?.integration.integrationType?.auth === 'API_KEY';
  const reconnect = (integration: Reconnectable): void => {
    const { type, integrationType } = integration;
    const app = {
      type,
      name: integrationType?.name ?? type,
      documentationUrl: integrationType?.documentationUrl ?? null,
    };
    open({ integration, app });
    if (integrationType?.auth !== 'API_KEY') flow.begin({ integration, app });
  };
  const leave = (): void => {
    flow.leave();
    close();
  };
  const dialog = about !== undefined && (
    <ReconnectDialog
      // The service refused to start the flow; a toast shows the reason.
      opened={opened && (isByKey || flow.state.is !== 'idle')}
      about={about}
      flow={isByKey ? undefined : flow}
      onClose={isByKey ? close : leave}
    />
  );
  return { reconnect, dialog };
}

function useReconnectFlow(onDone: () => void) {
  const { run } = useAction(ReconnectIntegrationDocument);
  return useOAuthFlow<Reconnecting>({
    start: async ({ integration: { id } }) => {
      const answer = (await run({ id }))?.reconnectIntegration;
      return answer?.__typename === 'IntegrationAuthorization' ? answer : undefined;
    },
    onConnected: ({ integration: { name } }) => {
      onDone();
      notifyDone(`“${name}” is connected again.`);
    },
  });
}
