import { type StoredBytes } from './admission/daily/stored-bytes.js';
import { type LongWork } from './admission/long-work.js';
import { type Listeners } from './admission/listeners.js';
import { type TargetLimits } from './admission/target-limits.js';
import { type Clock } from './clock.js';
import { type Config, type OidcSettings } from './config/config.js';
import { type Database } from './db/database.js';
import { type WriteProbe } from './db/availability/write-probe.js';
import { type Siblings } from './processes/siblings.js';
import { type Notifications } from './notifications/notifications.js';
import { type Outbound } from './http/outbound/outbound.js';
import { type JobQueues } from './jobs/job-queue.js';
import { type Logger } from './logging/logger.js';
import { type MailTransport } from './mail/mail-transport.js';
import { type KeptSecrets } from './kept-secrets.js';
import { type PasswordHash } from './encryption/password-hash.js';
import { type Secrets } from './encryption/secrets.js';
import { type Tracing } from './tracing/span.js';

/** The parts that every feature builds on; its `wire.ts` picks the ones it uses. */
export interface Platform {
  config: Config;
  db: Database;
  writeProbe: WriteProbe;
  clock: Clock;
  secrets: Secrets;
  /** Authenticate the URLs of waits, whatever keys ENCRYPTION_KEY holds. */
  urlSecrets: KeptSecrets;
  passwordHash: PasswordHash;
  logger: Logger;
  notifications: Notifications;
  outbound: Outbound;
  targets: TargetLimits;
  queues: JobQueues;
  listeners: Listeners;
  longWork: LongWork;
  stored: StoredBytes;
  /** Undefined without the address of a collector. */
  tracing: Tracing | undefined;
  /** Undefined in a process that serves alone. */
  siblings: Siblings | undefined;
  /** Undefined without SMTP_URL. */
  smtp: MailTransport | undefined;
  /** Undefined without OIDC_ISSUER. */
  oidc: OidcSettings | undefined;
}
