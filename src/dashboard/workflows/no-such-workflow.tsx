import { Button } from '@mantine/core';
import { IconZoomQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.js';
import { useDocumentTitle } from '../ui/use-document-title.js';

/** An id that names no workflow of the account. */
export function NoSuchWorkflow() {
  useDocumentTitle('No such workflow');
  return (
    <EmptyState
      icon={IconZoomQuestion}
      level={1}
      title="There is no such workflow"
      action={
        <Button component={Link} to="/workflows" variant="default">
          To all workflows
        </Button>
      }
    >
      It may have been deleted, or the address is mistyped.
    </EmptyState>
  );
}
