import { Checkbox, Skeleton } from '@mantine/core';
import { useQuery } from 'urql';
import { useAction } from '../../ui/forms/use-action.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { AccountSettingsDocument, UpdateAccountDocument } from './account.generated.js';

/** Switches the log of events on and off, at once. */
export function EventLogSwitch() {
  const [{ data }] = useQuery({ query: AccountSettingsDocument });
  const { run, running } = useAction(UpdateAccountDocument);
  if (data === undefined) return <Skeleton height={24} width={220} aria-hidden />;
  const set = async (eventLog: boolean) => {
    if ((await run({ input: { eventLog } })) === undefined) return;
    notifyDone(eventLog ? 'New events are recorded.' : 'New events are no longer recorded.');
  };
  return (
    <Checkbox
      label="Record events"
      checked={data.account.eventLog}
      disabled={running}
      onChange={({ currentTarget }) => void set(currentTarget.checked)}
    />
  );
}
