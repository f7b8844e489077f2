import { Button, Group, Modal, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Notice } from '../ui/notice.js';
import { notifyDone } from '../ui/notify.js';
import { useAction } from '../ui/use-action.js';
import { type RunInDetailFragment, RetryRunDocument } from './run.generated.js';

/** Says what running again does, does it, and goes to the new run. */
export function RetryRunDialog({ run, opened, onClose }: RetryRunDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={goesOn(run) ? 'Retry this run?' : 'Run this again?'}>
      <Question run={run} onClose={onClose} />
    </Modal>
  );
}

function Question({ run, onClose }: { run: RunInDetailFragment; onClose: () => void }) {
  const navigate = useNavigate();
  const { run: retry, running, fault } = useAction(RetryRunDocument, { inForm: true });
  const again = async () => {
    const made = await retry({ id: run.id });
    if (made === undefined) return;
    onClose();
    notifyDone('The new run has begun.');
    await navigate(`/runs/${made.retryRun.id}`);
  };
  return (
    <Stack gap="md">
      <div>
        A new run is made with the same input and the workflow’s present actions. This one stays as it is.{' '}
        {stepsInWords(run)}
      </div>
      {fault !== undefined && <Notice tone="bad">{fault.message}</Notice>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={running} onClick={() => void again()} data-autofocus>
          {goesOn(run) ? 'Retry run' : 'Run again'}
        </Button>
      </Group>
    </Stack>
  );
}

/** Only of those is anything carried over. */
function goesOn({ status }: RunInDetailFragment): boolean {
  return status === 'FAILED' || status === 'CANCELED';
}

function stepsInWords(run: RunInDetailFragment): string {
  const end = run.steps.findIndex(({ status }) => status !== 'SUCCEEDED');
  const done = end === -1 ? run.steps.length : end;
  if (!goesOn(run) || done === 0) return 'It starts from the first action: requests and mails are sent again.';
  const steps = done === 1 ? 'The first step, which succeeded, is' : `The first ${done} steps, which succeeded, are`;
  return `${steps} carried over and not done again, unless the actions have been changed since.`;
}

/** What is run again. */
export interface RetryRunDialogProps {
  run: RunInDetailFragment;
  opened: boolean;
  onClose: () => void;
}
