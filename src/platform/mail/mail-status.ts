import { type Transitions } from '../transitions.js';

/** The transitions of `mails.status`. A mail that will be retried stays `queued`. */
export const MAIL_TRANSITIONS = {
  queued: { from: [null], to: ['queued'], what: 'A transaction queued it.' },
  sent: { from: ['queued'], to: ['sent'], what: 'The mail server accepted it.' },
  logged: { from: ['queued'], to: ['logged'], what: 'It was written to the log: no mail server, or no recipient.' },
  refused: {
    from: ['queued'],
    to: ['refused'],
    what: 'The mail server refused it, or its subject or recipients cannot become headers.',
  },
  given_up: {
    from: ['queued'],
    to: ['given_up'],
    what: 'It failed for three days, two processes died over it, or the database was restored from a backup.',
  },
} as const satisfies Transitions<string>;

/** How a mail ends. */
export type MailEnd = (typeof MAIL_TRANSITIONS)['sent' | 'logged' | 'refused' | 'given_up']['to'][number];
