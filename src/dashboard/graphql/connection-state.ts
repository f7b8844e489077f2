import { useSyncExternalStore } from 'react';

/** `reconnecting` only after an open connection was lost, not before the first one. */
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

/** The socket calls it when the connection is lost, and when it is back. */
export function noteSocket(lost: boolean): void {
  socketLost = lost;
  tell();
}

/** Whether live updates arrive, according to the browser and the socket. */
export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(subscribe, read);
}
