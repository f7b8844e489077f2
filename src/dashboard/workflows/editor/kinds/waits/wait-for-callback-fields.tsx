import { DurationField } from '../fields/duration-field.js';
import { WaitPlaceholder } from '../fields/wait-placeholder.js';

/** How long to wait, and the URL to pass on. */
export function WaitForCallbackFields() {
  return (
    <>
      <DurationField field="timeout_seconds" label="Wait at most" description="From 1 minute to 7 days." />
      <WaitPlaceholder part="url">Give the other system the URL to post to</WaitPlaceholder>
    </>
  );
}
