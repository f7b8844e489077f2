import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../ui/dialogs/dialog.js';
import { useSending, useTyped } from '../ui/dialogs/dialog-context.js';
import { readInput } from '../ui/json/json-text.js';
import { Notice } from '../ui/pages/notice.js';
import { notifyDone } from '../ui/pages/notify.js';
import { begunOf } from './editor/begun.js';
import { useSourceRun } from '../runs/source/use-source-run.js';
import classes from './run-now.module.css';
import { useRunNow } from './use-run-now.js';
import { type WorkflowOfPage } from './workflow-context.js';

/** Fires a workflow by hand. The dialog names missing prerequisites and fulfils them in the same step. */
export function RunNowDialog({ workflow, opened, onClose }: RunNowDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Run now">
      <RunNowForm workflow={workflow} onClose={onClose} />
    </Dialog>
  );
}

function RunNowForm({ workflow, onClose }: Omit<RunNowDialogProps, 'opened'>) {
  const navigate = useNavigate();
  const source = useSourceRun(workflow.id, begunOf(workflow.id)?.sample);
  const [typed, setTyped] = useState<string>();
  const input = typed ?? source.input;
  const [fault, setFault] = useState<string>();
  const { lacks, start, running } = useRunNow(workflow);
  useSending(running);
  useTyped(typed !== undefined);
  const run = async () => {
    const read = readInput(input);
    setFault(read.fault);
    if (read.fault !== undefined) return;
    const id = await start(read.value);
    if (id === undefined) return;
    onClose();
    notifyDone('The run has started.');
    await navigate(`/runs/${id}`);
  };
  return (
    <form
      noValidate
      aria-label="Run now"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Stack gap="md">
        {lacks.trigger && (
          <Notice tone="busy" title="No manual trigger yet">
            This needs a manual trigger. One is created for you and kept for the next time.
          </Notice>
        )}
        {lacks.activation && (
          <Notice
            tone="warn"
            title={`It is ${workflow.status === 'DRAFT' ? 'a draft' : workflow.status.toLowerCase()}`}
          >
            Only an active workflow runs. Activating it lets all its triggers start runs, schedules too.
            {workflow.status !== 'ARCHIVED' && ' To try it out without that, use “Test run”.'}
          </Notice>
        )}
        <Textarea
          label="Input"
          description="JSON; actions read it as {{ trigger.body }}."
          value={input}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setFault(undefined);
          }}
          error={fault}
          minRows={4}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: classes.json }}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button type="submit" loading={running} disabled={typed === undefined && source.loading}>
            {label(lacks)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function label({ trigger, activation }: { trigger: boolean; activation: boolean }): string {
  if (activation) return trigger ? 'Create trigger, activate and run' : 'Activate and run';
  return trigger ? 'Create trigger and run' : 'Run now';
}

interface RunNowDialogProps {
  workflow: WorkflowOfPage;
  opened: boolean;
  onClose: () => void;
}
