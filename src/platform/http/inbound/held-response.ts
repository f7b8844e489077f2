import { type ServerResponse } from 'node:http';
import { LONG_MS } from '../../admission/response-pace.js';
import { type AppError } from '../../errors.js';
import { hasBoundedRest, lingerAfter } from './lingering-close.js';

/** The length of a body whose rest is read for a sender of refused requests: reading a long one costs the most. */
const LINGER_BYTES = 131_072;

/** Waits until an error may be sent; see `heldResponse`. */
export function heldRefusal(
  { options: { holdMs = 0 } }: AppError,
  response: ServerResponse,
): Promise<void> | undefined {
  return heldResponse(holdMs, response);
}

/**
 * Waits for a number of milliseconds, or until the client has left; undefined if there is nothing to wait for. A long
 * delay also ends the connection: requests may come on it without a wait for responses.
 */
export function heldResponse(holdMs: number, response: ServerResponse): Promise<void> | undefined {
  if (holdMs === 0 || response.destroyed) return undefined;
  if (holdMs >= LONG_MS && !response.headersSent) {
    response.setHeader('connection', 'close');
    if (hasBoundedRest(response.req, LINGER_BYTES)) lingerAfter(response);
  }
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      response.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, holdMs);
    response.once('close', end);
  });
}
