import { Button } from '@mantine/core';
import { IconAlertTriangle, IconZoomQuestion } from '@tabler/icons-react';
import { type CombinedError } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';

/** Replaces data that failed to load: the service's message, the request id of an internal error, and a retry. */
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
