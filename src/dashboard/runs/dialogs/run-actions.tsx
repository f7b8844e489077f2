import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentType, useState } from 'react';
import { type RetryFrom } from '../../graphql/enums.generated.js';
import { CancelRunDialog } from './cancel-run.dialog.js';
import { goesOn, stepsToCarryOver } from './carried-over.js';
import { RetryRunDialog } from './retry-run.dialog.js';
import { isFinished } from '../run-states.js';
import { type RunInDetailFragment } from '../run.generated.js';
import { IconBan, IconPlayerSkipBack, IconRefresh } from '../../ui/icons/icons.js';

/** The actions on a run: cancel it while it is active, retry it once it has ended. */
export function RunActions({ run }: { run: RunInDetailFragment }) {
  const [canceling, cancel] = useDisclosure();
  const [retrying, retry] = useDisclosure();
  const [from, setFrom] = useState<RetryFrom>('FAILED_STEP');
  const over = isFinished(run.status);
  const ask = (place: RetryFrom) => {
    setFrom(place);
    retry.open();
  };
  return (
    <>
      {over && stepsToCarryOver(run) > 0 && (
        <AgainButton run={run} icon={IconPlayerSkipBack} onClick={() => ask('START')}>
          Run again from the start
        </AgainButton>
      )}
      {over && (
        <AgainButton
          run={run}
          icon={IconRefresh}
          onClick={() => ask('FAILED_STEP')}
          isFirst={run.status === 'FAILED' && run.retriedBy === null}
        >
          {goesOn(run) ? 'Retry' : 'Run again'}
        </AgainButton>
      )}
      {!over && (
        <Button variant="default" leftSection={<IconBan size={16} aria-hidden />} onClick={cancel.open}>
          Cancel run
        </Button>
      )}
      <CancelRunDialog run={run} opened={canceling && !over} onClose={cancel.close} />
      <RetryRunDialog run={run} from={from} opened={retrying} onClose={retry.close} />
    </>
  );
}

interface AgainButtonProps {
  run: RunInDetailFragment;
  icon: ComponentType<{ size: number; 'aria-hidden': boolean }>;
  isFirst?: boolean;
  onClick: () => void;
  children: string;
}

/** The retry button; disabled, with an explanation, if the workflow is deleted. */
function AgainButton({ run, icon: Icon, isFirst = false, onClick, children }: AgainButtonProps) {
  const gone = run.workflow === null;
  return (
    <Tooltip label="Its workflow is deleted." disabled={!gone}>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={gone ? undefined : onClick}
        data-disabled={gone || undefined}
        aria-disabled={gone || undefined}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
