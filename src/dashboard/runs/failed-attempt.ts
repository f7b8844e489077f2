import { type RunInListFragment } from './runs.generated.js';

/** The error of an application that asked to wait: no attempt was used up. */
const ASKED_TO_WAIT = 'rate_limited';

/** What a waiting run tries again, as in `Attempt 4 failed`; undefined if it waits for no such thing. */
export function failedAttempt({ failingStep }: Pick<RunInListFragment, 'failingStep'>): string | undefined {
  if (failingStep?.error == null || failingStep.error.code === ASKED_TO_WAIT) return undefined;
  return `Attempt ${failingStep.attempt} failed`;
}
