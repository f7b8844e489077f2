import { Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { type CombinedError } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { EmptyState } from './empty-state.js';
import { ErrorState } from './error-state.js';
import { useDocumentTitle } from './use-document-title.js';
import { IconZoomQuestion } from '../icons/icons.js';

/** Props of the replacement for a missing object. */
export interface NotThereProps {
  /** The type of the object, e.g. `workflow`. */
  what: string;
  /** The path of the list. */
  all: string;
  error: CombinedError;
  onRetry: () => void;
  /** Possible reasons for its absence. */
  children?: ReactNode;
}

/** Says that the object does not exist, with a link to the list; or why it could not be loaded, with a retry button. */
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
      {children ?? 'It may have been deleted, or the URL is mistyped.'}
    </EmptyState>
  );
}
