import { toPublicId } from '../../platform/ids/ids.js';
import { type Mail } from '../../platform/mail/mail-queue.js';

/** A webhook that was disabled because it only failed for five days. */
export interface FailingWebhook {
  accountId: string;
  webhookUuid: string;
  url: string;
  /** The error of the last attempt. */
  error: string;
  at: Date;
}

/** The mail about a disabled webhook, without its recipients. */
export function failingMail({ accountId, webhookUuid, url, error, at }: FailingWebhook): Omit<Mail, 'to'> {
  const id = toPublicId('wh', webhookUuid);
  const { host } = new URL(url);
  return {
    accountId,
    key: `${failingKey(webhookUuid)}${at.toISOString()}`,
    subject: `Webhook to ${host} was disabled`,
    text: [
      `For five days every delivery to the webhook ${id} has failed, so nothing more is sent to it.`,
      `The last error: ${error}`,
      `When its receiver works again, enable the webhook: PUT /v1/webhooks/${id} with {"status": "enabled"}.`,
      `Failed deliveries stay in its log for 30 days and can be sent again from there:`,
      `GET /v1/webhooks/${id}/deliveries`,
    ].join('\n\n'),
  };
}

/** A webhook that was disabled because too many deliveries of its account waited. */
export interface BackloggedWebhook {
  accountId: string;
  webhookUuid: string;
  url: string;
  /** Its deliveries that waited. */
  waiting: number;
  at: Date;
}

/** The mail about it, without its recipients. */
export function backlogMail({ accountId, webhookUuid, url, waiting, at }: BackloggedWebhook): Omit<Mail, 'to'> {
  const id = toPublicId('wh', webhookUuid);
  const { host } = new URL(url);
  return {
    accountId,
    key: `${failingKey(webhookUuid)}${at.toISOString()}`,
    subject: `Webhook to ${host} was disabled`,
    text: [
      `${waiting.toLocaleString('en')} deliveries to the webhook ${id} waited, too many for the account, so nothing more is sent to it.`,
      `Its receiver is too slow or down, or its events fire runs that cause further events.`,
      `After a correction, enable the webhook: PUT /v1/webhooks/${id} with {"status": "enabled"}.`,
      `The deliveries stay in its log for 30 days and can be sent again: POST /v1/webhooks/${id}/redeliver`,
    ].join('\n\n'),
  };
}

/** The prefix of the keys of these mails, by which they are withdrawn. */
export function failingKey(webhookUuid: string): string {
  return `webhook-failing ${webhookUuid} `;
}
