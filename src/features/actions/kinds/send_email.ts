import { textFault } from '../../../platform/validation.js';
import { type Check, oneLine, text } from '../config-checks.js';
import { defineAction } from '../define-action.js';
import { isMailAddress } from '../../../platform/mail/mail-address.js';

const MAX_RECIPIENTS = 50;
/** The maximum line length of a mail, without the line break (RFC 5322, 2.1.1). */
const MAX_SUBJECT = 998;

/** `{ to, subject, text }`; `to` is one address or a list. Each address may be a placeholder. */
export const sendEmail = defineAction({
  kind: 'send_email',
  description: 'Sends a mail of plain text.',
  keys: {
    to: {
      required: true,
      about: `One address, or a list of 1 to ${MAX_RECIPIENTS}.`,
      schema: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_RECIPIENTS },
        ],
        examples: ['ada@example.com'],
      },
      check: (value, field) => recipients(value, field),
    },
    subject: {
      required: true,
      about: `One line of 1 to ${MAX_SUBJECT} characters.`,
      schema: { type: 'string', minLength: 1 },
      isText: true,
      check: text({ pieces: oneLine, whole: (literal) => textFault(literal, 1, MAX_SUBJECT) }),
    },
    text: {
      required: true,
      about: 'The text of the mail. Only the limit of a config applies to its length.',
      schema: { type: 'string' },
      isText: true,
      // Mails wait in PostgreSQL, whose texts can't hold NUL.
      check: text({
        pieces: (piece) => (piece.includes('\0') ? 'must not contain the NUL character' : undefined),
      }),
    },
  },
  output: '`{ "to" }`: the list of recipients. It says that the mail is stored, not that it has arrived.',
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
  whole: (address) => (isMailAddress(address) ? undefined : 'must be an email address'),
});

const recipients: Check = (value, field) => {
  if (!Array.isArray(value)) return recipient(value, field);
  if (value.length === 0 || value.length > MAX_RECIPIENTS) {
    return [{ field, message: `must be one address, or a list of 1 to ${MAX_RECIPIENTS}` }];
  }
  return value.flatMap((inner, index) => recipient(inner, `${field}.${index}`));
};
