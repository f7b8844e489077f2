import { Button, Group } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/pages/empty-state.js';
import { ExampleButton } from './templates/example-button.js';
import { IconRoute, IconSearchOff } from '../ui/icons/icons.js';

/** The empty state of the list: the first step, or a button that clears the filters. */
export function NoWorkflows({ filtered, create }: { filtered: boolean; create: ReactNode }) {
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No workflow matches"
        action={
          <Button component={Link} to="/workflows" variant="default">
            Show all workflows
          </Button>
        }
      >
        Try another status or text.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconRoute}
      title="Create your first workflow"
      action={
        <Group gap="xs" justify="center">
          {create}
          <ExampleButton />
        </Group>
      }
    >
      Give it a name, then add a trigger and actions. Its triggers start runs once you activate it. Or see an example
      run first.
    </EmptyState>
  );
}
