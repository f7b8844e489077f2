import { ChangeFeed } from '../../../platform/changes/change-feed.js';
import { type Feature } from '../../../platform/feature.js';
import { type LongPolls } from '../../../platform/long-poll.js';
import { type Platform } from '../../../platform/platform.js';
import { type DeriveUrls } from '../event-urls.js';
import { dropEventsJob } from './drop-events.job.js';
import { eventLog } from './event-log.js';
import { EventNumbering } from './event-numbering.js';
import { EventResolver } from './event.resolver.js';
import { EventService } from './event.service.js';
import { EventSubscriptions } from './event-subscriptions.js';
import { numberEventsJob } from './number-events.job.js';

/** Wires the log of the events that other features record (`record-events.ts`). */
export function wireEventLog(platform: Platform, { polls, urls }: { polls: LongPolls; urls: DeriveUrls }): Feature {
  const { db, clock, notifications, logger } = platform;
  const numbering = new EventNumbering(db, notifications, logger);
  // Twice a second: a listener hears of an event within a second, also while no notification and no worker's job tells of it.
  const looking = { everyMs: 500, catchUp: () => numbering.catchUp() };
  const feed = new ChangeFeed(eventLog, db, notifications, logger, looking);
  const service = new EventService(db, clock, numbering, feed, polls, urls);
  return {
    resolvers: [new EventResolver(service, new EventSubscriptions(db, feed, numbering, service))],
    jobs: [numberEventsJob(numbering), dropEventsJob(db, clock)],
    metrics: { event_log_listeners: { help: 'Listeners for new events of the log.', read: () => feed.listeners } },
    stop: () => feed.stop(),
  };
}
