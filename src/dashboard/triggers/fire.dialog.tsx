import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../ui/dialogs/dialog.js';
import { useSending } from '../ui/dialogs/dialog-context.js';
import { type RequestFault } from '../graphql/request-fault.js';
import { FireByHandDocument } from '../runs/run.generated.js';
import { Form } from '../ui/forms/form.js';
import { readInput } from '../ui/json/json-text.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFields } from '../ui/forms/use-fields.js';
import { useSourceRun } from '../runs/source/use-source-run.js';
import classes from './trigger-form.module.css';

/** Fires a manual trigger with the user's input, and opens the run. */
export function FireDialog({ opened, onClose, workflow }: FireDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Fire “${workflow.name}”`}>
      <FireForm onClose={onClose} workflow={workflow} />
    </Dialog>
  );
}

function FireForm({ onClose, workflow }: Omit<FireDialogProps, 'opened'>) {
  const navigate = useNavigate();
  const { run, running, fault: refused } = useAction(FireByHandDocument, { inForm: true });
  useSending(running);
  const [unreadable, setUnreadable] = useState<RequestFault>();
  const fault = unreadable ?? refused;
  const source = useSourceRun(workflow.id);
  const { values, field } = useFields({ input: source.input }, fault);
  const fire = async () => {
    const read = readInput(values.input);
    setUnreadable(read.fault === undefined ? undefined : asFault(read.fault));
    if (read.fault !== undefined) return;
    const made = await run({ workflowId: workflow.id, input: read.value });
    if (made === undefined) return;
    onClose();
    await navigate(`/runs/${made.runWorkflow.id}`);
  };
  return (
    <Form
      label="Fire the trigger"
      onSubmit={() => void fire()}
      fault={fault}
      footer={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button type="submit" loading={running} disabled={source.loading && values.input === source.input}>
            Fire now
          </Button>
        </Group>
      }
    >
      <Textarea
        {...field('input')}
        label="Input"
        description={'JSON; actions read it as {{\u00a0trigger.body\u00a0}}. Empty counts as null.'}
        minRows={6}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: classes.code }}
        data-autofocus
      />
    </Form>
  );
}

function asFault(message: string): RequestFault {
  return { message, code: 'VALIDATION_ERROR', fields: { input: message }, requestId: undefined };
}

/** `workflow`: the workflow to run. */
export interface FireDialogProps {
  opened: boolean;
  onClose: () => void;
  workflow: { id: string; name: string };
}
