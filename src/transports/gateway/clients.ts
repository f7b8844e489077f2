import { type ServerResponse } from 'node:http';
import { STOPPING } from '../../platform/admission/work.js';

/** Clients with a pending request. */
export class Clients {
  private readonly waiting = new Set<AbortController>();
  private stopped = false;

  /** When `stopping` aborts, the signals of all pending and later requests abort too. */
  constructor(stopping: AbortSignal) {
    stopping.addEventListener('abort', () => {
      this.stopped = true;
      for (const client of this.waiting) client.abort(STOPPING);
    });
  }

  /** A controller that aborts when the client disconnects before its response, or when the service stops. */
  of(response: ServerResponse): AbortController {
    const client = new AbortController();
    if (this.stopped) client.abort(STOPPING);
    this.waiting.add(client);
    response.once('close', () => {
      this.waiting.delete(client);
      // abort() builds an exception with a stack, which takes 10 µs: spend it only on clients that left early.
      if (!response.writableFinished) client.abort();
    });
    return client;
  }
}
