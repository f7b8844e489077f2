import { Client, type Exchange, fetchExchange, mapExchange, type Operation, subscriptionExchange } from 'urql';
import { createCache } from './cache.js';
import { createSocket, forwardTo } from './socket.js';

/**
 * The dashboard's GraphQL client: session by cookie, normalized cache, subscriptions over one WebSocket. `onSessionOver`
 * is called when any answer says that nobody is signed in (any more).
 */
export function createDashboardClient(onSessionOver: () => void): Client {
  const watched = watchedQueries();
  const refetch = (): void => {
    for (const operation of watched.active.values()) {
      client.reexecuteOperation(
        client.createRequestOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }),
      );
    }
  };
  const socket = createSocket({ onReconnected: refetch, onSessionOver });
  const client: Client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin', headers: { accept: 'application/graphql-response+json' } },
    // What is shown is right or on its way to be: cached first, and asked for at the same time.
    requestPolicy: 'cache-and-network',
    exchanges: [
      watched.exchange,
      createCache(),
      mapExchange({
        onError: ({ response }) => ((response as Response | undefined)?.status === 401 ? onSessionOver() : undefined),
      }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: forwardTo(socket) }),
    ],
  });
  window.addEventListener('online', refetch);
  return client;
}

/** The queries whose results are on screen now, by key. */
function watchedQueries(): { active: ReadonlyMap<number, Operation>; exchange: Exchange } {
  const active = new Map<number, Operation>();
  const exchange = mapExchange({
    onOperation(operation) {
      if (operation.kind === 'query') active.set(operation.key, operation);
      if (operation.kind === 'teardown') active.delete(operation.key);
    },
  });
  return { active, exchange };
}
