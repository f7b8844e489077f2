import { type ServerResponse } from 'node:http';

/** Calls `action` once a response is sent or its client has gone, also where that was before. */
export function onceClosed(response: ServerResponse, action: () => void): void {
  if (response.closed) action();
  else response.once('close', action);
}
