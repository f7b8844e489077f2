import { Button } from '@mantine/core';
import { IconZoomQuestion } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { type CombinedError } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';
import { ErrorState } from './error-state.js';
import { useDocumentTitle } from './use-document-title.js';

/** What stands in place of the one thing that an address names. */
export interface NotThereProps {
  /** What it is, e.g. `workflow`. */
  what: string;
  /** The address of all of them. */
  all: string;
  error: CombinedError;
  onRetry: () => void;
  /** Why there may be none (any more). */
  children?: ReactNode;
}

/** Says that there is no such thing, with the way to all of them; or why it could not be had, with a retry. */
export function NotThere({ what, all, error, onRetry, children }: NotThereProps) {
  const isMissing = faultOf(error).code === 'NOT_FOUND';
  useDocumentTitle(isMissing ? `No such ${what}` : 'Not loaded');
  if (!isMissing) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      icon={IconZoomQuestion}
      level={1}
      title={`There is no such ${what}`}
      action={
        <Button component={Link} to={all} variant="default">
          To all {what}s
        </Button>
      }
    >
      {children ?? 'It may have been deleted, or the address is mistyped.'}
    </EmptyState>
  );
}
