import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { IconHourglassLow } from '../../ui/icons/icons.js';

/** The empty state of the page. */
export function NoWaits() {
  return (
    <EmptyState
      icon={IconHourglassLow}
      title="No run waits"
      action={
        <Button component={Link} to="/workflows" variant="default">
          Go to workflows
        </Button>
      }
    >
      A workflow can wait for an approval, for an end user who connects an application, or for a callback of another
      system. Such runs appear here automatically, and you can decide.
    </EmptyState>
  );
}
