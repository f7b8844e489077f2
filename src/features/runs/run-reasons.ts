/** Why a firing created a skipped run. */
export const SKIP_REASONS = {
  workflow_not_active: 'The workflow was not active.',
  trigger_paused: 'The trigger was paused.',
  trigger_error: 'The trigger was in the status `error`.',
  integration_not_connected: 'The integration that sent the event was not connected.',
  loop: 'Runs of this service had fired each other too often in a row.',
  missed:
    'No worker was running at these ticks of a schedule, or the account had stored as much as it may; `input` is `{ "missed", "first", "last" }`.',
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;

/** Why a run ended otherwise than by its actions. */
const END_REASONS = {
  workflow_deleted: 'The workflow was deleted; the run is canceled.',
  worker_lost: 'Three consecutive workers died over the run, so the service gave it up.',
} as const;

export type EndReason = keyof typeof END_REASONS;

/** Every word of a run's `status_reason`. */
export const RUN_REASONS = { ...SKIP_REASONS, ...END_REASONS } as const;
