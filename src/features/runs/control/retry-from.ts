import { registerEnumType } from 'type-graphql';

/** Where a retried run begins. */
export const RetryFrom = { FAILED_STEP: 'failed_step', START: 'start' } as const;
export type RetryFrom = (typeof RetryFrom)[keyof typeof RetryFrom];

registerEnumType(RetryFrom, {
  name: 'RetryFrom',
  description: 'Where a retried run begins.',
  valuesConfig: {
    FAILED_STEP: {
      description:
        'At the first step that did not succeed or whose action has changed. A run that succeeded or was skipped begins at the start.',
    },
    START: { description: 'At the first action. No steps are copied.' },
  },
});
