import { type Feature } from '../feature.js';
import { type Floor } from '../floor.js';
import { type RunQueue } from '../runs/run-queue.js';
import { HookStore } from './hook-store.js';

interface Hooks extends Feature {
  /** Takes the posts of `/hooks/:token`. */
  store: HookStore;
}

/** Fires workflows by posts from outside. */
export function wireHooks({ db, clock, secrets }: Floor, { queue }: { queue: RunQueue }): Hooks {
  const store = new HookStore(db, clock, secrets, queue);
  return { store, stop: () => store.close() };
}
