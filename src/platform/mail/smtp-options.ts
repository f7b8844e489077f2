import { type SMTPTransportOptions } from 'nodemailer/lib/smtp-transport';

/** Timeouts for an SMTP server, in milliseconds. */
export interface SmtpPatience {
  connect: number;
  greeting: number;
  /** The silence between two replies; RFC 5321 (4.5.3.2) requires minutes after the message. */
  silence: number;
}

const PATIENCE: SmtpPatience = { connect: 20_000, greeting: 20_000, silence: 120_000 };
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/**
 * The options of an `smtp:` or `smtps:` URL. STARTTLS is used when the server offers it. It is required, with a valid
 * certificate, when a password is sent or `?requireTLS=true` is set, except towards this machine itself.
 * `?ignoreTLS=true` sends in the clear, `?tls.rejectUnauthorized=false` accepts any certificate.
 */
export function smtpOptions(address: string, patience: SmtpPatience = PATIENCE): SMTPTransportOptions {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const says = (name: string, value: string): boolean => url.searchParams.get(name) === value;
  const isLoopback = LOOPBACK.test(host);
  const ignoreTLS = says('ignoreTLS', 'true');
  const requireTLS = !ignoreTLS && !secure && (says('requireTLS', 'true') || (url.username !== '' && !isLoopback));
  // Where TLS is optional any certificate is better than none: an attacker who could forge one could also hide
  // STARTTLS.
  const rejectUnauthorized = (secure || requireTLS) && !isLoopback && !says('tls.rejectUnauthorized', 'false');
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS,
    ignoreTLS,
    tls: { rejectUnauthorized },
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: patience.connect,
    dnsTimeout: patience.connect,
    greetingTimeout: patience.greeting,
    socketTimeout: patience.silence,
  };
}
