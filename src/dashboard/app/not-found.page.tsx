import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../ui/pages/empty-state.js';
import { useDocumentTitle } from '../ui/pages/use-document-title.js';
import { IconMapOff } from '../ui/icons/icons.js';

/** The page for unknown URLs. */
export function NotFoundPage() {
  useDocumentTitle('Not found');
  return (
    <EmptyState
      icon={IconMapOff}
      level={1}
      title="Page not found"
      action={
        <Button component={Link} to="/" variant="default">
          Go to the overview
        </Button>
      }
    >
      The URL may be mistyped, or the page was removed.
    </EmptyState>
  );
}
