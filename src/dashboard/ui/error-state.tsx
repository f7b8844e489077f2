import { Button } from '@mantine/core';
import { IconAlertTriangle, IconZoomQuestion } from '@tabler/icons-react';
import { type CombinedError } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';

/** What stands where data could not be had: the service's sentence, the request's id where the fault is its own, and a retry. */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  const { code, message, requestId } = faultOf(error);
  const isMissing = code === 'NOT_FOUND';
  return (
    <div role="alert">
      <EmptyState
        icon={isMissing ? IconZoomQuestion : IconAlertTriangle}
        title={isMissing ? message : 'This could not be loaded'}
        action={
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {isMissing ? 'It may have been deleted, or the address is mistyped.' : message}
        {requestId !== undefined && (
          <>
            <br />
            Request id: <code>{requestId}</code>
          </>
        )}
      </EmptyState>
    </div>
  );
}
