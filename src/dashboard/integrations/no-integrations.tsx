import { Button } from '@mantine/core';
import { IconPlug, IconSearchOff } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state.js';

/** What stands in the list when it holds nothing: the first step, or the way out of a filter. */
export function NoIntegrations({ filtered, connect }: { filtered: boolean; connect: ReactNode }) {
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No connection matches"
        action={
          <Button component={Link} to="/integrations" variant="default">
            Show all connections
          </Button>
        }
      >
        None has this status and this text in its name, application or account.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPlug} title="Connect your first application" action={connect}>
      Choose one, sign in to it or give its API key, and your workflows can use it.
    </EmptyState>
  );
}
