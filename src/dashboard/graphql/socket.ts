import { type SubscriptionOperation, type SubscriptionForwarder } from 'urql';
import { createClient, type Client, type SubscribePayload } from 'graphql-ws';
import { noteSocket } from './connection-state.js';

/** Close codes for an ended session. */
const SESSION_OVER = new Set([4401, 4403]);
const MAX_WAIT_MS = 15_000;

/** Events of the socket. */
export interface SocketEvents {
  /** It is open, for the first time or again: earlier changes must be fetched. */
  onConnected: () => void;
  /** It was refused; it reconnects once there is a new session. */
  onSessionOver: () => void;
}

/** The one WebSocket for all subscriptions; opened with the first, closed after the last, tried again without end. */
export function createSocket({ onConnected, onSessionOver }: SocketEvents): Client {
  let lost = false;
  const setLost = (value: boolean): void => noteSocket((lost = value));
  return createClient({
    url: () => `${location.origin.replace(/^http/, 'ws')}/graphql`,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: wait,
    keepAlive: 12_000,
    on: {
      connected: () => {
        if (lost) setLost(false);
        onConnected();
      },
      closed: (event) => {
        const { code, wasClean } = event as CloseEvent;
        if (SESSION_OVER.has(code)) onSessionOver();
        // 1000 is the client's own close, after the last subscription has ended.
        if (!(code === 1000 && wasClean)) setLost(true);
      },
    },
  });
}

/** Delay until the next attempt: 0.3 s doubled, with jitter; shorter when the browser reports that it is online. */
async function wait(retries: number): Promise<void> {
  const milliseconds = Math.min(MAX_WAIT_MS, 300 * 2 ** retries) * (0.75 + Math.random() / 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const heard = new AbortController();
  window.addEventListener('online', () => resolve(), { signal: heard.signal });
  await promise;
  clearTimeout(timer);
  heard.abort();
}

/**
 * Passes subscriptions of urql to the socket. After a lost connection, one with a variable `after` resumes from the `id`
 * of the last change that it delivered, so that no change is missed.
 */
export function forwardTo(socket: Client): SubscriptionForwarder {
  return (request) => ({
    subscribe(sink) {
      const { payload, note } = resumable(request);
      const unsubscribe = socket.subscribe(payload, {
        next(result) {
          note(result.data);
          sink.next(result as Parameters<typeof sink.next>[0]);
        },
        error: (error) => sink.error(error),
        complete: () => sink.complete(),
      });
      return { unsubscribe };
    },
  });
}

function resumable(request: SubscriptionOperation): { payload: SubscribePayload; note: (data: unknown) => void } {
  const variables: Record<string, unknown> = { ...(request.variables as Record<string, unknown> | undefined) };
  const payload: SubscribePayload = {
    query: request.query ?? '',
    operationName: request.operationName ?? undefined,
    // The same object is sent again after a reconnect, including the recorded position.
    variables,
  };
  const resumes = /\$after\b/.test(payload.query);
  return {
    payload,
    note(data) {
      const [change] = Object.values((data ?? {}) as Record<string, { id?: unknown } | null>);
      if (resumes && typeof change?.id === 'string') variables.after = change.id;
    },
  };
}
