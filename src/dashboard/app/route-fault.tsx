import { Button } from '@mantine/core';
import { IconBug, IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { useConnectionState } from '../graphql/connection-state.js';
import { EmptyState } from '../ui/pages/empty-state.js';
import { hasUnsaved } from '../ui/forms/unsaved.js';
import { useDocumentTitle } from '../ui/pages/use-document-title.js';

/**
 * A page that could not be shown: it failed, or its code did not load, either after an update of the service or while
 * offline. In the latter case the page loads once the connection is back.
 */
export function RouteFault() {
  useDocumentTitle('Something went wrong');
  const notLoaded = /dynamically imported module|Importing a module|preload CSS/i.test(String(useRouteError()));
  const offline = useConnectionState() === 'offline';
  useEffect(() => {
    if (!notLoaded) return;
    const again = (): void => {
      if (!hasUnsaved()) location.reload();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [notLoaded]);
  return (
    <EmptyState
      icon={notLoaded && offline ? IconCloudOff : IconBug}
      level={1}
      title={notLoaded ? 'This page could not be loaded' : 'This page has failed'}
      // Offline, a reload would lead to the browser's error page.
      action={offline ? undefined : <Button onClick={() => location.reload()}>Reload</Button>}
    >
      {sentence(notLoaded, offline)}
    </EmptyState>
  );
}

function sentence(notLoaded: boolean, offline: boolean): string {
  if (!notLoaded) return 'This is our mistake, not yours. Everything you saved is safe.';
  if (offline) return 'You are offline. The page loads as soon as you are back online.';
  return 'There may be a new version of the dashboard, or the connection is down.';
}
