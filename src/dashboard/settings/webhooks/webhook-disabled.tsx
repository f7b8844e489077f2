import { Notice } from '../../ui/pages/notice.js';
import { actorInWords } from '../../ui/values/actor-in-words.js';
import { type WebhookFactsFragment } from './webhooks.generated.js';

const REASONS: Record<string, string> & { failing: string } = {
  gone: 'Its URL answered 410 Gone, which means “send nothing more”. Change the URL, or enable it again if that was a mistake.',
  failing:
    'Every delivery failed for five days. Fix the receiver, then enable it again; you can resend failed deliveries from the list below.',
  backlog:
    'Too many deliveries waited. Make the receiver faster, or end the loop of runs and events, then enable it again; you can resend failed deliveries from the list below.',
};

/** Why a webhook is disabled, and what to do; renders nothing while it is enabled. */
export function WebhookDisabled({ webhook: { status, statusReason, disabledBy } }: { webhook: WebhookFactsFragment }) {
  if (status === 'ENABLED') return null;
  if (statusReason === null)
    return (
      <div style={{ marginBottom: 24 }}>
        <Notice tone="busy" title={`Disabled by ${disabledBy === null ? 'a user' : actorInWords(disabledBy)}`}>
          It receives no events. Events from this time are not sent later.
        </Notice>
      </div>
    );
  return (
    <div style={{ marginBottom: 24 }}>
      <Notice tone="warn" title="Disabled by the service">
        {REASONS[statusReason] ?? REASONS.failing}
      </Notice>
    </div>
  );
}
