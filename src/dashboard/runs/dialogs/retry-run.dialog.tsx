import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Dialog } from '../../ui/dialogs/dialog.js';
import { useSending } from '../../ui/dialogs/dialog-context.js';
import { type RetryFrom } from '../../graphql/enums.generated.js';
import { Notice } from '../../ui/pages/notice.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { goesOn, stepsToCarryOver } from './carried-over.js';
import { RetriedBy } from '../retried-by.js';
import { type RunInDetailFragment, RetryRunDocument } from '../run.generated.js';

/** The run to retry, and the starting point. */
export interface RetryRunDialogProps {
  run: RunInDetailFragment;
  from: RetryFrom;
  opened: boolean;
  onClose: () => void;
}

/** Explains a retry, starts it, and opens the new run. */
export function RetryRunDialog({ run, from, opened, onClose }: RetryRunDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={wordsOf(run, from).title}>
      <Question run={run} from={from} onClose={onClose} />
    </Dialog>
  );
}

function Question({ run, from, onClose }: Omit<RetryRunDialogProps, 'opened'>) {
  const navigate = useNavigate();
  const { run: retry, running, fault } = useAction(RetryRunDocument, { inForm: true });
  useSending(running);
  const again = async () => {
    const made = await retry({ id: run.id, from });
    if (made === undefined) return;
    onClose();
    notifyDone('The new run has started.');
    await navigate(`/runs/${made.retryRun.id}`);
  };
  return (
    <Stack gap="md">
      <div>
        A new run is created with the same input and the workflow’s current actions. This run stays as it is.{' '}
        {stepsInWords(run, from)}
      </div>
      {run.retriedBy !== null && (
        <Notice tone="warn" title="It was retried before">
          <RetriedBy id={run.retriedBy} /> Another retry repeats what that one did.
        </Notice>
      )}
      {fault !== undefined && <Notice tone="bad">{fault.message}</Notice>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={running}>
          Close
        </Button>
        <Button loading={running} onClick={() => void again()} data-autofocus>
          {wordsOf(run, from).button}
        </Button>
      </Group>
    </Stack>
  );
}

function wordsOf(run: RunInDetailFragment, from: RetryFrom): { title: string; button: string } {
  if (!goesOn(run)) return { title: 'Run this again?', button: 'Run again' };
  return from === 'START'
    ? { title: 'Run this again from the start?', button: 'Run again from the start' }
    : { title: 'Retry this run?', button: 'Retry run' };
}

function stepsInWords(run: RunInDetailFragment, from: RetryFrom): string {
  const done = from === 'START' ? 0 : stepsToCarryOver(run);
  if (done === 0) return 'It starts from the first action: requests and emails are sent again.';
  const steps = done === 1 ? 'The first step, which succeeded, is' : `The first ${done} steps, which succeeded, are`;
  return `${steps} carried over and not repeated, unless the actions were changed since.`;
}
