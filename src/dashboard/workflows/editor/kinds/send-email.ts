import { newRow } from '../draft-action.js';
import { type KindDefinition, textOf } from './define-kind.js';
import { SendEmailFields } from './send-email-fields.js';
import { IconMail } from '../../../ui/icons/icons.js';

/** A mail of plain text. */
export const sendEmail: KindDefinition = {
  kind: 'SEND_EMAIL',
  label: 'Send email',
  icon: IconMail,
  explains: 'Sends a plain-text email to one or more addresses.',
  help: 'sendEmail',
  name: 'mail',
  keys: ['to', 'subject', 'text'],
  read: ({ to = '', subject, text }) => ({
    texts: { subject: textOf(subject), text: textOf(text) },
    rows: { to: (Array.isArray(to) ? to : [to]).map((address) => newRow('', textOf(address))) },
  }),
  write: ({ texts: { subject = '', text = '' }, rows: { to = [] } }) => ({
    config: { to: to.map(({ value }) => value.trim()), subject, text },
    faults: {},
  }),
  summary: ({ texts: { subject = '' }, rows: { to = [] } }) => {
    const [first = '', ...others] = to.map(({ value }) => value).filter((value) => value !== '');
    if (first === '') return subject;
    const whom = others.length === 0 ? first : `${first} and ${others.length} more`;
    return subject === '' ? `To ${whom}` : `To ${whom}: ${subject}`;
  },
  Fields: SendEmailFields,
};
