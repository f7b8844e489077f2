import { Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { IconBolt, IconSearchOff } from '../../ui/icons/icons.js';

/** The empty state of a list of triggers: what triggers are for, or a button that clears the filters. */
export function NoTriggers({ filtered, create }: { filtered: boolean; create?: ReactNode }) {
  const { pathname } = useLocation();
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No trigger matches"
        action={
          <Button component={Link} to={pathname} variant="default">
            Show all triggers
          </Button>
        }
      >
        None matches all of these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconBolt} title="No triggers yet" action={create}>
      A trigger makes a workflow run: at set times, when another system posts to it, when something happens in a
      connected application, or manually.
    </EmptyState>
  );
}
