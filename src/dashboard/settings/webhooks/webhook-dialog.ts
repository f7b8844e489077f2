import { type WebhookFactsFragment } from './webhooks.generated.js';

/** A dialog about one webhook; `onDone` is told when it has done its work. */
export interface WebhookDialogProps {
  webhook: WebhookFactsFragment;
  opened: boolean;
  onClose: () => void;
  onDone?: () => void;
}
