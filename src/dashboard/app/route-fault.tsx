import { Button } from '@mantine/core';
import { IconBug } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { EmptyState } from '../ui/empty-state.js';
import { useDocumentTitle } from '../ui/use-document-title.js';

/** A page that could not be shown: its code did not arrive (a new version is out, or the line is down), or it failed. */
export function RouteFault() {
  useDocumentTitle('Something went wrong');
  const notLoaded = /dynamically imported module|Importing a module|preload CSS/i.test(String(useRouteError()));
  return (
    <EmptyState
      icon={IconBug}
      level={1}
      title={notLoaded ? 'This page could not be loaded' : 'This page has failed'}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      {notLoaded
        ? 'There may be a new version of the dashboard, or the connection is down.'
        : 'What went wrong is ours, not yours. Nothing that was saved is lost.'}
    </EmptyState>
  );
}
