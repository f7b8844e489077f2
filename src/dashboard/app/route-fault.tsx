import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { type ConnectionState, useConnectionState } from '../graphql/connection-state.js';
import { EmptyState } from '../ui/pages/empty-state.js';
import { hasUnsaved } from '../ui/forms/unsaved.js';
import { useDocumentTitle } from '../ui/pages/use-document-title.js';
import { IconBug, IconCloudOff } from '../ui/icons/icons.js';

/**
 * A page that could not be shown: it failed, or its code did not load, either after an update of the service or while
 * the connection was down. In the latter case the page loads once the connection is back.
 */
export function RouteFault() {
  useDocumentTitle('Something went wrong');
  const notLoaded = /dynamically imported module|Importing a module|preload CSS/i.test(String(useRouteError()));
  const state = useConnectionState();
  const offline = state === 'offline';
  useReloadOnReturn(state, notLoaded);
  return (
    <EmptyState
      icon={notLoaded && offline ? IconCloudOff : IconBug}
      level={1}
      title={notLoaded ? 'This page could not be loaded' : 'This page has failed'}
      // Offline, a reload would lead to the browser's error page.
      action={offline ? undefined : <Button onClick={() => location.reload()}>Reload</Button>}
    >
      {sentence(notLoaded, state)}
    </EmptyState>
  );
}

/** Only a connection that was down reloads the page: code that never loads must not reload it without end. */
function useReloadOnReturn(state: ConnectionState, notLoaded: boolean): void {
  const wasDown = useRef(false);
  useEffect(() => {
    if (state !== 'online') wasDown.current = true;
    else if (wasDown.current) {
      wasDown.current = false;
      if (notLoaded && !hasUnsaved()) location.reload();
    }
  }, [state, notLoaded]);
}

function sentence(notLoaded: boolean, state: ConnectionState): string {
  if (!notLoaded) return 'This is our mistake, not yours. Everything you saved is safe.';
  if (state === 'offline') return 'You are offline. The page loads as soon as you are back online.';
  if (state === 'reconnecting') return 'The page loads as soon as the connection is back.';
  return 'There may be a new version of the dashboard, or the connection is down.';
}
