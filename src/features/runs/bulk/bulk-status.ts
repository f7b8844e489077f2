import { registerEnumType } from 'type-graphql';

/** What a bulk operation does with each of its runs. */
export const BulkKind = { RETRY: 'retry', CANCEL: 'cancel' } as const;
/** `retry` or `cancel`. */
export type BulkKind = (typeof BulkKind)[keyof typeof BulkKind];

registerEnumType(BulkKind, {
  name: 'BulkKind',
  description: 'What a bulk operation does with each of its runs.',
  valuesConfig: {
    RETRY: { description: 'Retries it, as `retryRun` does.' },
    CANCEL: { description: 'Cancels it, as `cancelRun` does.' },
  },
});

/** The states of a bulk operation. */
export const BulkStatus = { RUNNING: 'running', DONE: 'done', CANCELED: 'canceled' } as const;
/** `running` until no run is left or it is canceled. */
export type BulkStatus = (typeof BulkStatus)[keyof typeof BulkStatus];

registerEnumType(BulkStatus, {
  name: 'BulkStatus',
  description: 'How far a bulk operation has come.',
  valuesConfig: {
    RUNNING: { description: 'Runs are left.' },
    DONE: { description: 'No run is left.' },
    CANCELED: { description: 'Canceled on request: the runs that were left stay as they are.' },
  },
});
