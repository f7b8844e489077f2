import { toPublicId } from '../../platform/ids/ids.js';
import { type Mail } from '../../platform/mail/mail-queue.js';

/** What is told of a webhook that was disabled because it did nothing but fail. */
export interface FailingWebhook {
  accountId: string;
  webhookUuid: string;
  url: string;
  /** What went wrong the last time. */
  error: string;
  at: Date;
}

/** The mail about it, but for who gets it. */
export function failingMail({ accountId, webhookUuid, url, error, at }: FailingWebhook): Omit<Mail, 'to'> {
  const id = toPublicId('wh', webhookUuid);
  const { host } = new URL(url);
  return {
    accountId,
    key: `${failingKey(webhookUuid)}${at.toISOString()}`,
    subject: `Webhook to ${host} was disabled`,
    text: [
      `For five days every delivery to the webhook ${id} has failed, so nothing more is sent to it.`,
      `The last time: ${error}`,
      `Once its receiver is mended, enable it again: PUT /v1/webhooks/${id} with {"status": "enabled"}.`,
      `What it missed stands in its log for 30 days and can be sent again from there:`,
      `GET /v1/webhooks/${id}/deliveries`,
    ].join('\n\n'),
  };
}

/** How the keys of its mails begin. */
export function failingKey(webhookUuid: string): string {
  return `webhook-failing ${webhookUuid} `;
}
