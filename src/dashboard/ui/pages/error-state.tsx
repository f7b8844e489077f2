import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { type CombinedError } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';
import { IconAlertTriangle, IconZoomQuestion } from '../icons/icons.js';

/** Faults of the connection and of the service's load, which end without an action of the user. */
const TEMPORARY = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED']);
/** Faults of a value that the request has, e.g. of a filter in the URL of the page. */
const OF_VALUES = new Set(['VALIDATION_ERROR', 'GONE']);
const RETRY_MS = 5_000;

/**
 * Replaces data that failed to load: the service's message, the request id of an internal error, and a retry. After a
 * temporary fault it also retries by itself, until the data or another error replaces it. A retry of a wrong filter could
 * never succeed: it leads to the list without filters.
 */
export function ErrorState({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  const { code, message, requestId } = faultOf(error);
  const isMissing = code === 'NOT_FOUND';
  const isTemporary = TEMPORARY.has(code);
  const { pathname, search } = useLocation();
  const isOfUrl = OF_VALUES.has(code) && search !== '';
  useRepeated(onRetry, isTemporary);
  return (
    <div role="alert">
      <EmptyState
        icon={isMissing ? IconZoomQuestion : IconAlertTriangle}
        title={isMissing ? message : isOfUrl ? 'The URL has a value that is not possible' : 'This could not be loaded'}
        action={
          isOfUrl ? (
            <Button component={Link} to={pathname} variant="default">
              Show all
            </Button>
          ) : (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
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
