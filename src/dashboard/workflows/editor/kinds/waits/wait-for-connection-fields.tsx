import { UserConnection } from '../connections/user-connection.js';
import { DurationField } from '../fields/duration-field.js';
import { WaitPlaceholder } from '../fields/wait-placeholder.js';

/** The connection to wait for, how long, and the page to send the user. */
export function WaitForConnectionFields() {
  return (
    <>
      <UserConnection />
      <DurationField field="timeout_seconds" label="Wait at most" description="From 1 minute to 7 days." />
      <WaitPlaceholder part="connect_url">Send the user the page to connect on</WaitPlaceholder>
    </>
  );
}
