import { type ServerResponse } from 'node:http';

/** Calls `action` once a response is sent or its client has disconnected, also if that happened before. */
export function onceClosed(response: ServerResponse, action: () => void): void {
  if (response.closed) action();
  else response.once('close', action);
}
