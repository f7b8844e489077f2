import { type ServerResponse } from 'node:http';
import { STOPPING } from '../../platform/admission/work.js';

/** Who waits for an answer. */
export class Clients {
  private readonly waiting = new Set<AbortController>();
  private stopped = false;

  /** When `stopping` aborts, all that wait and all that come are told so. */
  constructor(stopping: AbortSignal) {
    stopping.addEventListener('abort', () => {
      this.stopped = true;
      for (const client of this.waiting) client.abort(STOPPING);
    });
  }

  /** Aborted when the client goes before its answer, or when the service stops. */
  of(response: ServerResponse): AbortController {
    const client = new AbortController();
    if (this.stopped) client.abort(STOPPING);
    this.waiting.add(client);
    response.once('close', () => {
      this.waiting.delete(client);
      // An abort makes an exception with its stack: 10 µs that only a client who left is worth.
      if (!response.writableFinished) client.abort();
    });
    return client;
  }
}
