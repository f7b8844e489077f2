import { DurationField } from './fields/duration-field.js';

/** How long to wait. */
export function DelayFields() {
  return <DurationField field="seconds" label="Wait" placeholder="e.g. 30" required />;
}
