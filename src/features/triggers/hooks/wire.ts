import { type Feature } from '../../../platform/feature.js';
import { type Platform } from '../../../platform/platform.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { HookStore } from './hook-store.js';

interface Hooks extends Feature {
  /** Stores the posts to `/hooks/:token`. */
  store: HookStore;
}

/** Wires firing workflows by posts to their inbound hooks. */
export function wireHooks({ db, clock, secrets }: Platform, { queue }: { queue: RunQueue }): Hooks {
  const store = new HookStore(db, clock, secrets, queue);
  return { store, stop: () => store.close() };
}
