import { Center, Loader } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Provider, useQuery } from 'urql';
import { createDashboardClient } from '../graphql/client.js';
import { ViewerContext } from '../session/viewer.js';
import { ViewerDocument } from '../session/viewer.generated.js';
import { noteSessionOver } from '../session/session-over.js';
import { ErrorState } from '../ui/error-state.js';

/** Gives what is inside a client and a viewer; whoever is not signed in goes to the sign-in page and comes back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [client] = useState(() => createDashboardClient(noteSessionOver));
  return (
    <Provider value={client}>
      <WithViewer>{children}</WithViewer>
    </Provider>
  );
}

function WithViewer({ children }: { children: ReactNode }) {
  const [{ data, error }, reload] = useQuery({ query: ViewerDocument });
  if (data !== undefined) return <ViewerContext value={data.viewer}>{children}</ViewerContext>;
  const isUnauthorized = (error?.response as Response | undefined)?.status === 401;
  return (
    <Center mih="100dvh">
      {error === undefined || isUnauthorized ? (
        <Loader aria-label="Loading" size="sm" />
      ) : (
        <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      )}
    </Center>
  );
}
