import { SegmentedControl, Select } from '@mantine/core';
import { faultAt, useEditing } from '../../editing.js';
import { DurationField } from '../fields/duration-field.js';
import classes from '../fields/fields.module.css';
import { WaitPlaceholder } from '../fields/wait-placeholder.js';
import { IntegrationSelect } from './integration-select.js';
import { UserConnection } from './user-connection.js';

/** The connection of an app request: one of the account, or that of the end user whom the run is about. */
export function RequestTarget() {
  const { action, setText } = useEditing();
  const { connection_as: as = 'one', integration_id: id = '' } = action.values.texts;
  const choose = (choice: string): void => {
    setText('connection_as', choice);
    // Its fault is no longer one.
    setText('integration_id', id);
  };
  return (
    <fieldset className={classes.group}>
      <legend>Connection to use</legend>
      <SegmentedControl
        size="xs"
        aria-label="Connection to use"
        value={as}
        onChange={choose}
        data={[
          { value: 'one', label: 'One connection' },
          { value: 'reference', label: 'The end user’s, by reference' },
        ]}
      />
      {as === 'one' ? <IntegrationSelect /> : <UserConnection at="connection." />}
      {as === 'reference' && <IfMissing />}
    </fieldset>
  );
}

function IfMissing() {
  const { action, setText } = useEditing();
  const { if_missing: missing = 'fail' } = action.values.texts;
  return (
    <>
      <Select
        label="If the user has none that is connected"
        data={[
          { value: 'fail', label: 'The step fails' },
          { value: 'wait', label: 'The run waits until the user connects' },
        ]}
        value={missing}
        onChange={(value) => setText('if_missing', value ?? 'fail')}
        error={faultAt(action, 'config.if_missing')}
      />
      {missing === 'wait' && (
        <>
          <DurationField field="wait_seconds" label="Wait at most" description="From 1 minute to 7 days." />
          <WaitPlaceholder part="connect_url">Send the user the page to connect on</WaitPlaceholder>
        </>
      )}
    </>
  );
}
