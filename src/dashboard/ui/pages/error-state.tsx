import { Button } from '@mantine/core';
import { IconAlertTriangle, IconZoomQuestion } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { type CombinedError } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';

/** Faults of the connection and of the service's load, which end without an action of the user. */
const TEMPORARY = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED']);
const RETRY_MS = 5_000;

/**
 * Replaces data that failed to load: the service's message, the request id of an internal error, and a retry. After a
 * temporary fault it also retries by itself, until the data or another error replaces it.
 */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  const { code, message, requestId } = faultOf(error);
  const isMissing = code === 'NOT_FOUND';
  const isTemporary = TEMPORARY.has(code);
  useRepeated(onRetry, isTemporary);
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
        {isMissing ? 'It may have been deleted, or the URL is mistyped.' : message}
        {isTemporary && (
          <>
            <br />
            The page tries again every few seconds.
          </>
        )}
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

/** Calls `action` every `RETRY_MS` while `isActive` and the tab is visible. */
function useRepeated(action: () => void, isActive: boolean): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!isActive) return;
    // Varied, so that the pages of many users do not return in the same moment.
    const timer = setInterval(
      () => {
        if (!document.hidden) latest.current();
      },
      RETRY_MS * (1 + Math.random() / 5),
    );
    return () => clearInterval(timer);
  }, [isActive]);
}
