import { type WorkflowStatus } from '../graphql/enums.generated.js';
import { type Icon } from './icons/icon.js';
import { IconArchive, IconPencil, IconPlayerPause, IconPlayerPlay } from './icons/icons.js';

/** One move of a workflow's status. */
export interface StatusMove {
  to: WorkflowStatus;
  label: string;
  /** The consequences in one line. */
  effect: string;
  icon: Icon;
  /** The message after the change. */
  done: string;
}

const activate: StatusMove = {
  to: 'ACTIVE',
  label: 'Activate',
  effect: 'Its triggers start runs: schedules, webhooks, app events and manual triggers.',
  icon: IconPlayerPlay,
  done: 'The workflow is active.',
};
const pause: StatusMove = {
  to: 'PAUSED',
  label: 'Pause',
  effect: 'Schedules stop; events that arrive are recorded as skipped. Current runs continue.',
  icon: IconPlayerPause,
  done: 'The workflow is paused.',
};
const draft: StatusMove = {
  to: 'DRAFT',
  label: 'Back to draft',
  effect: 'Only test runs work while you edit it. Schedules stop.',
  icon: IconPencil,
  done: 'The workflow is a draft again.',
};
const archive: StatusMove = {
  to: 'ARCHIVED',
  label: 'Archive',
  effect: 'Kept with its runs, but it no longer runs, not even as a test. You can restore it.',
  icon: IconArchive,
  done: 'The workflow is archived.',
};

/** The moves that each status offers, the likeliest first. */
export const MOVES: Readonly<Record<WorkflowStatus, readonly StatusMove[]>> = {
  DRAFT: [activate, archive],
  ACTIVE: [pause, draft, archive],
  PAUSED: [{ ...activate, label: 'Resume' }, draft, archive],
  ARCHIVED: [
    { ...draft, label: 'Restore as draft', effect: 'It can be edited and tested again. No trigger starts it yet.' },
    { ...activate, label: 'Restore and activate' },
  ],
};
