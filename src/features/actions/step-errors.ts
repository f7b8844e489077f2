import { type ErrorCode } from '../../platform/errors.js';

/** Why a step failed, and when; the same words stand in the `error` of a run that ends with it. */
export const STEP_ERRORS = {
  timeout: 'The call, or the step, took too long. Tried again.',
  network: 'The other side could not be reached, or the connection broke. Tried again.',
  unavailable: 'The service could not reach its database. Tried again.',
  provider_unavailable: 'The token of the connection could not be renewed for now. Tried again.',
  blocked: 'The address leads into a network that users may not reach.',
  invalid_url: 'The address is none, or not of http or https.',
  invalid_request: 'The method or a header cannot be sent.',
  invalid_answer: 'The answer is not the compressed data that it says it is.',
  too_large: 'The config with its placeholders filled in, or the answer, is larger than it may be.',
  missing_path: 'A placeholder names something that is not there; the message says what.',
  invalid_config: 'With its placeholders filled in, the config is not valid; the message says where.',
  validation_error: 'The path would leave the address of the application.',
  not_found: 'There is no such integration.',
  conflict: 'The integration is not connected.',
  too_many_mails: 'The account has sent as many mails on this day as the operator allows.',
  canceled: 'The run was canceled while the step was under way.',
  run_timeout: 'The run took longer than a run may.',
  worker_lost: 'Three workers in a row died over the run.',
  actions_unreadable: 'No encryption key of the service opens the actions of the run.',
  internal_error: 'Our own fault.',
} as const;

/** A word of the table, or `http_404` and the like: the application answered with that status. */
export type StepErrorCode = keyof typeof STEP_ERRORS | ErrorCode | `http_${number}`;
