import { Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { IconCircleCheck, IconPlug, IconSearchOff } from '../../ui/icons/icons.js';

/** The empty state of the list: the first step, or a button that clears the filters. */
export function NoIntegrations({ filtered, needsAttention, connect }: NoIntegrationsProps) {
  const all = (
    <Button component={Link} to="/integrations" variant="default">
      Show all connections
    </Button>
  );
  if (needsAttention && !filtered) {
    return (
      <EmptyState icon={IconCircleCheck} title="Nothing needs attention" action={all}>
        No connection has expired, was refused, or expires within a week.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState icon={IconSearchOff} title="No connection matches" action={all}>
        Try other filters or another text.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPlug} title="Connect your first application" action={connect}>
      Choose one, sign in to it or enter its API key, and your workflows can use it.
    </EmptyState>
  );
}

/** `filtered` by status or text; `connect` is the button of the first step. */
export interface NoIntegrationsProps {
  filtered: boolean;
  needsAttention: boolean;
  connect: ReactNode;
}
