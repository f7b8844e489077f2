import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { IconActivity, IconSearchOff } from '../../ui/icons/icons.js';

/** The empty state of a list of runs: how runs start, or a button that clears the filters. */
export function NoRuns({ filtered, searched, isOfOne }: NoRunsProps) {
  const { pathname } = useLocation();
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No run matches"
        action={
          <Button component={Link} to={pathname} variant="default">
            Show all runs
          </Button>
        }
      >
        No runs match these filters. {!searched && 'New matching runs appear automatically.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconActivity}
      title="No runs yet"
      action={
        !isOfOne && (
          <Button component={Link} to="/workflows">
            Go to workflows
          </Button>
        )
      }
    >
      Each time a trigger fires an active workflow, a run starts. It appears here automatically, and you can watch it.
    </EmptyState>
  );
}

/** `searched`: the list is searched, so that no new run appears. */
interface NoRunsProps {
  filtered: boolean;
  searched: boolean;
  isOfOne: boolean;
}
