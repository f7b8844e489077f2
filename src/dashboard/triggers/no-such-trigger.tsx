import { Button } from '@mantine/core';
import { IconZoomQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type CombinedError } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { useDocumentTitle } from '../ui/use-document-title.js';

/** An address of a trigger that is not there (any more), or that could not be asked for. */
export function NoSuchTrigger({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  useDocumentTitle('Trigger');
  if (faultOf(error).code !== 'NOT_FOUND') return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      icon={IconZoomQuestion}
      level={1}
      title="There is no such trigger"
      action={
        <Button component={Link} to="/triggers" variant="default">
          To all triggers
        </Button>
      }
    >
      The address may be mistyped, or the trigger was deleted, perhaps with its workflow.
    </EmptyState>
  );
}
