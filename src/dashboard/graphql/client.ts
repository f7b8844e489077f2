import { Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { createCache } from './cache.js';
import { queriesOnScreen } from './queries-on-screen.js';
import { faultOf } from './request-fault.js';
import { fetchWithClock } from './service-clock.js';
import { createSocket, forwardTo } from './socket.js';
import { wholeOrNothing } from './whole-or-nothing.js';

/** The client of all pages, and one without a cache for data that must not stay in memory. */
export interface DashboardClients {
  client: Client;
  uncached: Client;
}

/**
 * The dashboard's GraphQL client: session by cookie, normalized cache, subscriptions over one WebSocket.
 * `onSessionOver` is called when any response reports that there is no session (any more).
 */
export function createDashboardClients(onSessionOver: () => void): DashboardClients {
  const onScreen = queriesOnScreen();
  const refetch = (): void => {
    for (const operation of onScreen.operations()) {
      client.reexecuteOperation(
        client.createRequestOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }),
      );
    }
  };
  const socket = createSocket({ onConnected: refetch, onSessionOver });
  const watchSession = mapExchange({
    onError: ({ response }) => ((response as Response | undefined)?.status === 401 ? onSessionOver() : undefined),
  });
  // The page on screen may show what was deleted elsewhere: its queries find out.
  const watchDeletions = mapExchange({
    onError: (error, { kind }) => (kind === 'mutation' && faultOf(error).code === 'NOT_FOUND' ? refetch() : undefined),
  });
  const client: Client = new Client({
    ...DOOR,
    // Show cached data first and fetch it again at the same time.
    requestPolicy: 'cache-and-network',
    exchanges: [
      onScreen.exchange,
      createCache(),
      watchSession,
      watchDeletions,
      wholeOrNothing,
      fetchExchange,
      subscriptionExchange({ forwardSubscription: forwardTo(socket) }),
    ],
  });
  window.addEventListener('online', refetch);
  const uncached = new Client({
    ...DOOR,
    requestPolicy: 'network-only',
    exchanges: [watchSession, wholeOrNothing, fetchExchange],
  });
  return { client, uncached };
}

const DOOR = {
  url: '/graphql',
  preferGetMethod: false,
  fetch: fetchWithClock,
  fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
} as const;
