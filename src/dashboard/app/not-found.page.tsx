import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.js';
import { useDocumentTitle } from '../ui/use-document-title.js';

/** An address that the dashboard does not know. */
export function NotFoundPage() {
  useDocumentTitle('Not found');
  return (
    <EmptyState
      icon={IconMapOff}
      level={1}
      title="There is no such page"
      action={
        <Button component={Link} to="/" variant="default">
          To the overview
        </Button>
      }
    >
      The address may be mistyped, or what it led to is gone.
    </EmptyState>
  );
}
