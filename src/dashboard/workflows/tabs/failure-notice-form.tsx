import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { UnsentMail } from '../../session/unsent-mail.js';
import { FormFault } from '../../ui/forms/form.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { useAction } from '../../ui/forms/use-action.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { type WorkflowOfPage } from '../workflow-context.js';
import { UpdateWorkflowDocument } from '../workflow.generated.js';

/** The number that the service proposes. */
const PROPOSED = 3;

/**
 * After how many failures in a row the users of the account get a mail, or that they get none. The checkbox saves at once, the
 * number with Enter or when the focus leaves it, so that the page has one button to save.
 */
export function FailureNoticeForm({ workflow: { id, failureNoticeAfter } }: { workflow: WorkflowOfPage }) {
  const { run, running, fault } = useAction(UpdateWorkflowDocument, { inForm: true });
  const [edited, edit] = useState<string>();
  const text = edited ?? String(failureNoticeAfter ?? PROPOSED);
  const isValid = /^(?:[1-9]\d?|100)$/.test(text.trim());
  useUnsaved(edited !== undefined);
  const save = async (after: number | null) => {
    if (running) return;
    if (after === failureNoticeAfter) return edit(undefined);
    if ((await run({ id, input: { failureNoticeAfter: after } })) === undefined) return;
    edit(undefined);
    notifyDone('Failure notices saved.');
  };
  const saveNumber = () => void (isValid && save(Number(text)));
  return (
    <form
      noValidate
      aria-label="Failure notices"
      onSubmit={(event) => {
        event.preventDefault();
        saveNumber();
      }}
    >
      <Stack gap="md">
        <Checkbox
          label="Send an email when runs fail"
          checked={failureNoticeAfter !== null}
          disabled={running}
          onChange={({ currentTarget }) => void save(currentTarget.checked ? PROPOSED : null)}
        />
        {failureNoticeAfter !== null && (
          <TextInput
            label="Failures in a row"
            description="From 1 to 100, saved with Enter. The next email follows only after a run has succeeded."
            error={isValid ? undefined : 'Enter a number from 1 to 100.'}
            value={text}
            onChange={({ currentTarget }) => edit(currentTarget.value)}
            onBlur={saveNumber}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
        {failureNoticeAfter !== null && <UnsentMail>The email is only in the log of the service.</UnsentMail>}
        {fault !== undefined && <FormFault fault={fault} />}
      </Stack>
    </form>
  );
}
