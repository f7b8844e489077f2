import { toPublicId } from '../../platform/ids/ids.js';
import { type Mail } from '../../platform/mail/mail-queue.js';

/** A webhook that the service has disabled. */
interface Disabled {
  accountId: string;
  webhookUuid: string;
  url: string;
  at: Date;
}

/** A webhook that was disabled because it only failed for five days. */
export interface FailingWebhook extends Disabled {
  /** The error of the last attempt. */
  error: string;
}

/** The mail about it, without its recipients. */
export function failingMail({ error, ...webhook }: FailingWebhook): Omit<Mail, 'to'> {
  return disabledMail(webhook, (id) => [
    `For five days every delivery to the webhook ${id} has failed, so nothing more is sent to it.`,
    `The last error: ${error}`,
    `When its receiver works again, enable the webhook: PUT /v1/webhooks/${id} with {"status": "enabled"}.`,
    `Failed deliveries stay in its log for 30 days and can be sent again from there:`,
    `GET /v1/webhooks/${id}/deliveries`,
  ]);
}

/** A webhook that was disabled because too many deliveries of its account waited. */
export interface BackloggedWebhook extends Disabled {
  /** Its deliveries that waited. */
  waiting: number;
}

/** The mail about it, without its recipients. */
export function backlogMail({ waiting, ...webhook }: BackloggedWebhook): Omit<Mail, 'to'> {
  return disabledMail(webhook, (id) => [
    `${waiting.toLocaleString('en')} deliveries to the webhook ${id} waited, too many for the account, so nothing more is sent to it.`,
    `Its receiver is too slow or down, or its events fire runs that cause further events.`,
    `After a correction, enable the webhook: PUT /v1/webhooks/${id} with {"status": "enabled"}.`,
    `The deliveries stay in its log for 30 days and can be sent again: POST /v1/webhooks/${id}/redeliver`,
  ]);
}

function disabledMail(
  { accountId, webhookUuid, url, at }: Disabled,
  textOf: (id: string) => string[],
): Omit<Mail, 'to'> {
  return {
    accountId,
    key: `${failingKey(webhookUuid)}${at.toISOString()}`,
    subject: `Webhook to ${new URL(url).host} was disabled`,
    text: textOf(toPublicId('wh', webhookUuid)).join('\n\n'),
  };
}

/** The prefix of the keys of these mails, by which they are withdrawn. */
export function failingKey(webhookUuid: string): string {
  return `webhook-failing ${webhookUuid} `;
}
