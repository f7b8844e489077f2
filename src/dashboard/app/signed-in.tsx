import { Center, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Provider, useQuery } from 'urql';
import { createDashboardClients } from '../graphql/client.js';
import { UncachedClient } from '../graphql/uncached.js';
import { ViewerContext } from '../session/viewer.js';
import { ViewerDocument } from '../session/viewer.generated.js';
import { checkSession, showsTo } from '../session/check-session.js';
import { WhenSessionIsOver } from '../session/when-session-is-over.js';
import { ErrorState } from '../ui/pages/error-state.js';
import { useOnReturn } from '../ui/use-on-return.js';

/** Provides the client and the viewer to its children; without a session it redirects to the sign-in page and back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [{ client, uncached }] = useState(() => createDashboardClients(() => void checkSession()));
  return (
    <Provider value={client}>
      <UncachedClient value={uncached}>
        <WhenSessionIsOver />
        <WithViewer>{children}</WithViewer>
      </UncachedClient>
    </Provider>
  );
}

function WithViewer({ children }: { children: ReactNode }) {
  const [{ data, error }, reload] = useQuery({ query: ViewerDocument });
  const isUnauthorized = (error?.response as Response | undefined)?.status === 401;
  const leaving = useLeaving(isUnauthorized);
  useSamePerson(data?.viewer.user?.id);
  if (data !== undefined) return <ViewerContext value={data.viewer}>{children}</ViewerContext>;
  return (
    <Center mih="100dvh">
      {error === undefined || leaving ? (
        <Loader aria-label="Loading" size="sm" />
      ) : (
        <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
      )}
    </Center>
  );
}

/** Whether the redirect to the sign-in page is needed: not if the session exists, or its check failed. */
function useLeaving(isUnauthorized: boolean): boolean {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    if (isUnauthorized) void checkSession().then((left) => setStays(!left));
  }, [isUnauthorized]);
  return isUnauthorized && !stays;
}

/** Protects loaded data from the next user, both in other tabs and through the back button after signing out. */
function useSamePerson(userId: string | undefined): void {
  useEffect(() => showsTo(userId), [userId]);
  useOnReturn(() => void checkSession());
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent): void => void (persisted && checkSession());
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
}
