import { useSyncExternalStore } from 'react';
import { type TopicName } from './topics.js';

let shown: TopicName | undefined;
const listeners = new Set<() => void>();

/** Shows a part of the reference in the sheet of the frame; undefined closes it. */
export function openHelp(topic: TopicName | undefined): void {
  shown = topic;
  for (const listener of listeners) listener();
}

/** The part that is shown; undefined for none. */
export function useShownHelp(): TopicName | undefined {
  return useSyncExternalStore(subscribe, () => shown);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
