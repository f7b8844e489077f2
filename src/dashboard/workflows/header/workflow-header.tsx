import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { PageHeader } from '../../ui/pages/page-header.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { EditWorkflowDialog } from '../edit-workflow.dialog.js';
import { RunNowDialog } from '../run-now.dialog.js';
import { StatusMenu } from './status-menu.js';
import classes from './workflow-header.module.css';
import { WorkflowMenu } from '../menu/workflow-menu.js';
import { type WorkflowOfPage } from '../workflow-context.js';
import { IconFlask, IconPencil, IconPlayerPlay } from '../../ui/icons/icons.js';

/** Name, description, last run and actions of a workflow. */
export function WorkflowHeader({ workflow, onTest }: { workflow: WorkflowOfPage; onTest: () => void }) {
  const [editing, edit] = useDisclosure();
  const [running, run] = useDisclosure();
  return (
    <>
      <PageHeader
        title={workflow.name}
        trail={[{ to: '/workflows', label: 'Workflows' }]}
        badge={
          <>
            <Tooltip label="Edit name and description">
              <ActionIcon variant="subtle" color="gray" aria-label="Edit name and description" onClick={edit.open}>
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <WorkflowMenu workflow={workflow} label="More actions" />
          </>
        }
        lead={
          <>
            {workflow.description !== null && <span className={classes.description}>{workflow.description}</span>}
            <LastRun workflow={workflow} />
          </>
        }
        actions={
          <>
            <StatusMenu workflow={workflow} />
            <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={onTest}>
              Test run
            </Button>
            <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={run.open}>
              Run now
            </Button>
          </>
        }
      />
      <EditWorkflowDialog workflow={workflow} opened={editing} onClose={edit.close} />
      <RunNowDialog workflow={workflow} opened={running} onClose={run.close} />
    </>
  );
}

function LastRun({ workflow: { lastRun, runCount } }: { workflow: WorkflowOfPage }) {
  if (lastRun === null) return <span className={classes.last}>It has not run yet.</span>;
  const { id, status, createdAt, isTest } = lastRun;
  const runs = runCount === 1 ? '1 run' : `${runCount.toLocaleString('en')} runs`;
  return (
    <span className={classes.last}>
      <span>
        {isTest ? 'Last test' : 'Last run'} <RelativeTime at={createdAt} />
      </span>
      <Link to={`/runs/${id}`} aria-label={`${isTest ? 'Last test' : 'Last run'}, ${status.toLowerCase()}`}>
        <StatusBadge status={status} />
      </Link>
      <span>{runs}, not counting skipped and test runs</span>
    </span>
  );
}
