import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { CancelRunDialog } from './cancel-run.dialog.js';
import { RetryRunDialog } from './retry-run.dialog.js';
import { isFinished } from './run-states.js';
import { type RunInDetailFragment } from './run.generated.js';

/** What can be done with a run: stop it while it goes on, run it again once it has ended. */
export function RunActions({ run }: { run: RunInDetailFragment }) {
  const [canceling, cancel] = useDisclosure();
  const [retrying, retry] = useDisclosure();
  const over = isFinished(run.status);
  const gone = run.workflow === null;
  return (
    <>
      {over && (
        <Tooltip label="Its workflow is deleted." disabled={!gone}>
          <Button
            variant={run.status === 'FAILED' ? 'filled' : 'default'}
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={gone ? undefined : retry.open}
            data-disabled={gone || undefined}
            aria-disabled={gone || undefined}
          >
            {run.status === 'FAILED' || run.status === 'CANCELED' ? 'Retry' : 'Run again'}
          </Button>
        </Tooltip>
      )}
      {!over && (
        <Button variant="default" leftSection={<IconBan size={16} aria-hidden />} onClick={cancel.open}>
          Cancel run
        </Button>
      )}
      <CancelRunDialog run={run} opened={canceling && !over} onClose={cancel.close} />
      <RetryRunDialog run={run} opened={retrying} onClose={retry.close} />
    </>
  );
}
