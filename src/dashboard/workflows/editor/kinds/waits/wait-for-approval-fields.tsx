import { Select } from '@mantine/core';
import { UnsentMail } from '../../../../session/unsent-mail.js';
import { faultAt, useEditing } from '../../editing.js';
import { PlaceholderInput } from '../../values/placeholder-input.js';
import { TextField } from '../../values/text-field.js';
import { DurationField } from '../fields/duration-field.js';
import classes from '../fields/fields.module.css';
import { RowsField } from '../fields/rows-field.js';
import { WaitPlaceholder } from '../fields/wait-placeholder.js';

const ON_DENIED = [
  { value: 'fail', label: 'The run fails' },
  { value: 'continue', label: 'The run continues; the decision is “denied”' },
];
const ON_TIMEOUT = [
  { value: 'fail', label: 'The run fails' },
  { value: 'deny', label: 'It counts as denied' },
];

/** The question, the approvers, and what follows a denial and silence. */
export function WaitForApprovalFields() {
  return (
    <>
      <TextField field="title" label="Title" placeholder="Refund {{ trigger.body.amount }} €?" required />
      <TextField field="text" label="Details" multiline />
      <Approvers />
      <UnsentMail>
        Emails to approvers are only in its log. Users find the approval under Waiting; pass its page on to others.
      </UnsentMail>
      <DurationField field="timeout_seconds" label="Wait at most" description="From 1 minute to 7 days." />
      <div className={classes.pair}>
        <Outcome field="on_denied" label="If denied" data={ON_DENIED} />
        <Outcome field="on_timeout" label="Without a decision in time" data={ON_TIMEOUT} />
      </div>
      <WaitPlaceholder part="url">Pass the page of the approval on</WaitPlaceholder>
    </>
  );
}

function Approvers() {
  const { action } = useEditing();
  return (
    <RowsField field="approvers" label="Approvers" thing="approver" className={classes.recipient}>
      {({ value }, index, change) => (
        <PlaceholderInput
          name={`Approver ${index + 1}`}
          placeholder="ada@example.com"
          value={value}
          onChange={(text) => change({ value: text })}
          error={faultAt(action, `config.approvers.${index}`)}
        />
      )}
    </RowsField>
  );
}

function Outcome({ field, label, data }: { field: string; label: string; data: typeof ON_DENIED }) {
  const { action, setText } = useEditing();
  return (
    <Select
      label={label}
      data={data}
      value={action.values.texts[field] ?? 'fail'}
      onChange={(value) => setText(field, value ?? 'fail')}
      error={faultAt(action, `config.${field}`)}
    />
  );
}
