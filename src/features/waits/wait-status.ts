import { registerEnumType } from 'type-graphql';
import { type Transitions } from '../../platform/transitions.js';

/** The states of a wait. */
export const WaitStatus = {
  PENDING: 'pending',
  ANSWERED: 'answered',
  EXPIRED: 'expired',
  CANCELED: 'canceled',
} as const;
export type WaitStatus = (typeof WaitStatus)[keyof typeof WaitStatus];

/** The transitions of a wait. */
export const WAIT_TRANSITIONS = {
  created: { from: [null], to: ['pending'], what: 'Its run reached it.' },
  early: { from: [null], to: ['answered'], what: 'It was answered before its run reached it.' },
  answered: { from: ['pending'], to: ['answered'], what: 'A person, another system or a connection answered it.' },
  expired: { from: ['pending'], to: ['expired'], what: 'Its time was over.' },
  canceled: { from: ['pending'], to: ['canceled'], what: 'Its run was canceled or its workflow deleted.' },
} as const satisfies Transitions<WaitStatus>;

registerEnumType(WaitStatus, {
  name: 'WaitStatus',
  description: 'How far a wait has come.',
  valuesConfig: {
    PENDING: { description: 'The run waits for an answer.' },
    ANSWERED: { description: 'An answer was taken.' },
    EXPIRED: { description: 'It ended without an answer.' },
    CANCELED: { description: 'It ended with its run.' },
  },
});

/** What a run can wait for. */
export const WaitKind = {
  CONNECTION: 'connection',
  APPROVAL: 'approval',
  CALLBACK: 'callback',
  RUN: 'run',
} as const;
export type WaitKind = (typeof WaitKind)[keyof typeof WaitKind];

registerEnumType(WaitKind, {
  name: 'WaitKind',
  description: 'What a run waits for.',
  valuesConfig: {
    CONNECTION: { description: 'A connection of an integration type for an end user.' },
    APPROVAL: { description: 'The decision of a person.' },
    CALLBACK: { description: 'A post to the URL of the wait.' },
    RUN: { description: 'The end of another run.' },
  },
});

/** What a person decided. */
export const ApprovalDecision = { APPROVED: 'approved', DENIED: 'denied' } as const;
export type ApprovalDecision = (typeof ApprovalDecision)[keyof typeof ApprovalDecision];

registerEnumType(ApprovalDecision, {
  name: 'ApprovalDecision',
  description: 'The decision about an approval.',
  valuesConfig: {
    APPROVED: { description: 'The run continues.' },
    DENIED: { description: 'See `on_denied` of the action.' },
  },
});
