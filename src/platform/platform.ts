import { type LongWork } from './admission/long-work.js';
import { type Listeners } from './admission/listeners.js';
import { type Clock } from './clock.js';
import { type Config, type OidcSettings } from './config/config.js';
import { type Database } from './db/database.js';
import { type Notifications } from './notifications/notifications.js';
import { type Outbound } from './http/outbound/outbound.js';
import { type JobQueues } from './jobs/job-queue.js';
import { type Logger } from './logging/logger.js';
import { type MailTransport } from './mail/mail-transport.js';
import { type Secrets } from './encryption/secrets.js';

/** The parts that every feature builds on; its `wire.ts` picks the ones it uses. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  secrets: Secrets;
  logger: Logger;
  notifications: Notifications;
  outbound: Outbound;
  queues: JobQueues;
  listeners: Listeners;
  longWork: LongWork;
  /** Undefined without SMTP_URL. */
  smtp: MailTransport | undefined;
  /** Undefined without OIDC_ISSUER. */
  oidc: OidcSettings | undefined;
}
