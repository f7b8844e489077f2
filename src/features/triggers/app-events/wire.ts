import { type Feature } from '../../../platform/feature.js';
import { OnceASecond } from '../../../platform/logging/once-a-second.js';
import { type Platform } from '../../../platform/platform.js';
import { type AppRegistry } from '../../integrations/apps/registry.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { EventStore } from './event-store.js';
import { fanOutJob } from './fan-out.job.js';

interface Needs {
  apps: AppRegistry;
  queue: RunQueue;
}

interface AppEvents extends Feature {
  /** Stores the posts to `/events/:token`. */
  store: EventStore;
}

/** Wires firing workflows by events of connected apps. */
export function wireAppEvents({ db, clock, secrets, logger }: Platform, { apps, queue }: Needs): AppEvents {
  const store = new EventStore({ db, clock, secrets, apps, queue, log: new OnceASecond(logger) });
  return { store, jobs: [fanOutJob({ db, clock, queue, logger })], stop: () => store.close() };
}
