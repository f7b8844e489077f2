import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type WorkflowStatus } from '../graphql/enums.generated.js';
import { useAction } from '../ui/forms/use-action.js';
import { Notice } from '../ui/pages/notice.js';
import { MOVES } from '../ui/status-moves.js';
import { ActivateWorkflowDocument } from './activate-workflow.generated.js';
import classes from './trigger-form.module.css';
import { type TriggerInListFragment } from './triggers.generated.js';

const RESTS: Readonly<Record<Exclude<WorkflowStatus, 'ACTIVE'>, string>> = {
  DRAFT: 'The workflow is still a draft',
  PAUSED: 'The workflow is paused',
  ARCHIVED: 'The workflow is archived',
};

/** Explains that nothing runs while the workflow is inactive, and activates it; renders nothing while it is active. */
export function WorkflowRests({ workflow: { id, name, status } }: Pick<TriggerInListFragment, 'workflow'>) {
  const { run, running } = useAction(ActivateWorkflowDocument);
  const [done, setDone] = useState<string>();
  const move = MOVES[status].find(({ to }) => to === 'ACTIVE');
  if (done !== undefined) return <Activated>{done}</Activated>;
  if (status === 'ACTIVE' || move === undefined) return null;
  const activate = async () => {
    const moved = await run({ id });
    if (moved !== undefined) setDone(move.done);
  };
  return (
    <Notice tone="warn" title={RESTS[status]}>
      Until “{name}” is active, webhook calls and events are recorded as skipped runs, and schedules do not run.
      <br />
      <Button variant="default" size="xs" mt={8} loading={running} onClick={() => void activate()}>
        {move.label}
      </Button>
    </Notice>
  );
}

/** Takes the focus of the button that it replaces. */
function Activated({ children }: { children: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className={classes.made}>
      <Notice tone="good">{children}</Notice>
    </div>
  );
}
