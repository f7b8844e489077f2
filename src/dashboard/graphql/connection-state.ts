import { useSyncExternalStore } from 'react';

/** `reconnecting` only once a connection that was there is lost; before the first one nothing is wrong. */
export type ConnectionState = 'online' | 'reconnecting' | 'offline';

let socketLost = false;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const event of ['online', 'offline']) window.addEventListener(event, tell);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const event of ['online', 'offline']) window.removeEventListener(event, tell);
  };
}

function read(): ConnectionState {
  if (!navigator.onLine) return 'offline';
  return socketLost ? 'reconnecting' : 'online';
}

/** Called by the socket when it is lost, and when it is back. */
export function noteSocket(lost: boolean): void {
  socketLost = lost;
  tell();
}

/** Whether live news arrive, as the browser and the socket know it. */
export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(subscribe, read);
}
