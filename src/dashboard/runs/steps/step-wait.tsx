import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notice } from '../../ui/pages/notice.js';
import { useDecision } from '../../waits/decision/use-decision.js';
import { useWaitsOfRun } from '../../waits/use-waits-of-run.js';
import { WaitAction } from '../../waits/wait-action.js';
import { WaitedFor, WaitTimes } from '../../waits/wait-words.js';
import { CancelRunDialog } from '../dialogs/cancel-run.dialog.js';
import { isFinished } from '../run-states.js';
import { type RunInDetailFragment } from '../run.generated.js';
import classes from './step-timeline.module.css';
import { type RunStep } from './timeline.js';

/**
 * What a step waits for, and the actions that end the wait; nothing until it is loaded, and after its end. An approval
 * stays mounted then, so that its dialog can say who was faster.
 */
export function StepWait({ run, step }: { run: RunInDetailFragment; step: RunStep }) {
  const wait = useWaitsOfRun(run.id, step.status === 'WAITING')?.find(({ step: name }) => name === step.name);
  const { decide, dialog } = useDecision();
  const [canceling, cancel] = useDisclosure();
  return (
    <>
      {wait !== undefined && (
        <>
          <Notice tone="warn" title="Waiting">
            For <WaitedFor wait={wait} />, <WaitTimes wait={wait} />.
          </Notice>
          {wait.text !== null && <p className={classes.asked}>{wait.text}</p>}
          <Group gap="xs">
            <WaitAction wait={wait} onDecide={(decision) => decide(wait, decision)} />
            <Button size="xs" variant="subtle" color="gray" onClick={cancel.open}>
              Cancel run
            </Button>
          </Group>
        </>
      )}
      {dialog}
      <CancelRunDialog run={run} opened={canceling && !isFinished(run.status)} onClose={cancel.close} />
    </>
  );
}
