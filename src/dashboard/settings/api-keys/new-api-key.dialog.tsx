import { Dialog } from '../../ui/dialogs/dialog.js';
import { useSecretOnce } from '../../ui/forms/use-secret-once.js';
import { KeyOnce } from './key-once.js';
import { NewApiKeyForm, type NewKey } from './new-api-key-form.js';

/** Asks for label, scope and end of a new key, then shows it, once. */
export function NewApiKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { made, show, stored, modal } = useSecretOnce<NewKey>(opened, onClose);
  return (
    <Dialog {...modal} title={made === undefined ? 'New API key' : `“${made.apiKey.label}” is ready`}>
      {made === undefined ? (
        <NewApiKeyForm onClose={onClose} onMade={show} />
      ) : (
        <KeyOnce secret={made.secret} onDone={stored} />
      )}
    </Dialog>
  );
}
