import { Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DataTable } from '../ui/data-table.js';
import { type Column } from '../ui/data-table-column.js';
import { EmptyState } from '../ui/empty-state.js';
import { StatusBadge } from '../ui/status-badge.js';
import { useWorkflow, type WorkflowOfPage } from './workflow-context.js';

const COLUMNS: readonly Column<WorkflowOfPage['triggers']['items'][number]>[] = [
  { header: 'Trigger', cell: ({ type }) => type.charAt(0) + type.slice(1).toLowerCase().replace('_', ' ') },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '140px' },
];

/** `/workflows/:id/triggers`: what fires the workflow. */
export function TriggersTab() {
  const { workflow, reload } = useWorkflow();
  return (
    <DataTable
      label="Triggers"
      columns={COLUMNS}
      page={workflow.triggers}
      fetching={false}
      error={undefined}
      onRetry={reload}
      empty={
        <EmptyState
          icon={IconBolt}
          title="Nothing fires it yet"
          action={
            <Button component={Link} to="/triggers">
              To the triggers
            </Button>
          }
        >
          A trigger says when it runs: on a schedule, on a call, on an event in an application, or by hand.
        </EmptyState>
      }
    />
  );
}
