import { type WebhookFactsFragment } from './webhooks.generated.js';

/** A dialog about one webhook; `onDone` fires after its action. */
export interface WebhookDialogProps {
  webhook: WebhookFactsFragment;
  opened: boolean;
  onClose: () => void;
  onDone?: () => void;
}
