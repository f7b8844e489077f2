import { isEmail } from 'class-validator';
import { textFault } from '../../../platform/validation.js';
import { checkConfig, type Check, oneLine, text } from '../config-checks.js';
import { defineAction } from '../define-action.js';

const MAX_RECIPIENTS = 50;
/** The maximum line length of a mail, without the line break (RFC 5322, 2.1.1). */
const MAX_SUBJECT = 998;

/** `{ to, subject, text }`; `to` is one address or a list. Each address may be a placeholder. */
export const sendEmail = defineAction({
  kind: 'send_email',
  description:
    'Sends a mail of plain text. Config: `to` (one address, or a list of at most 50), `subject`, `text`. The step fails with `too_many_mails` once the account has reached the operator’s limit of recipients for the day (1,000 by default).',
  validate: (config, at) => checkConfig(config, at, { required: { to: recipients, subject, text: content } }),
  execute: async ({ to, subject, text }, { mail, accountId, runId, index }) => {
    const recipients = (Array.isArray(to) ? to : [to]) as string[];
    const key = `${runId}-${index}`;
    const refusal = await mail.queue({
      accountId,
      to: recipients,
      subject: subject as string,
      text: text as string,
      key,
    });
    if (refusal !== undefined) return { kind: 'failed', error: { code: 'too_many_mails', message: refusal } };
    return { kind: 'succeeded', output: { to: recipients } };
  },
});

const recipient = text({
  pieces: oneLine,
  whole: (address) => (isEmail(address, { require_tld: false }) ? undefined : 'must be an email address'),
});

const subject = text({ pieces: oneLine, whole: (literal) => textFault(literal, 1, MAX_SUBJECT) });

/** Mails wait in PostgreSQL, whose texts can't hold NUL. */
const content = text({ pieces: (piece) => (piece.includes('\0') ? 'must not contain the NUL character' : undefined) });

const recipients: Check = (value, field) => {
  if (!Array.isArray(value)) return recipient(value, field);
  if (value.length === 0 || value.length > MAX_RECIPIENTS) {
    return [{ field, message: `must be one address, or a list of 1 to ${MAX_RECIPIENTS}` }];
  }
  return value.flatMap((inner, index) => recipient(inner, `${field}.${index}`));
};
