import { type ErrorCode } from '../../platform/errors.js';

/** The errors of failed steps with their causes; a run that ends with one has the same value in `error`. */
export const STEP_ERRORS = {
  timeout: 'The call, or the step, took too long. Retried.',
  network: 'The host could not be reached, or the connection was lost. Retried.',
  unavailable: 'The service could not reach its database. Retried.',
  provider_unavailable: 'The token of the connection could not be renewed at the moment. Retried.',
  blocked: 'The URL leads into a network that users may not reach.',
  invalid_url: 'The URL is invalid, or not http or https.',
  invalid_request: 'The method or a header cannot be sent.',
  invalid_answer: 'The response is not valid data of its `Content-Encoding`.',
  too_large:
    'The config with its placeholders filled in, or the response, exceeds its limit; or the step reads a part of a [large output](actions.md#large-outputs) that was not kept.',
  missing_path: 'A placeholder refers to a missing value; the message names it.',
  invalid_config: 'With its placeholders filled in, the config is invalid; the message names the place.',
  validation_error:
    'The path would leave the base URL of the application, or the connection has no valid type or reference.',
  not_found: 'The integration does not exist.',
  not_connected: 'The integration is not connected, or there is none of that type and reference.',
  conflict: 'The integration must be reconnected, or its application is no longer known.',
  rate_limited: 'The application answered nothing but 429 for a day.',
  denied: 'A person denied the approval.',
  wait_expired: 'The wait ended without an answer.',
  too_many_waits: 'The account has as many pending waits as it may have.',
  too_many_mails: 'The account has used up its mails for the day (the setting MAIL_LIMIT).',
  too_much_stored: 'The account has stored as much as it may in a day (the setting STORED_LIMIT_MB).',
  canceled: 'The run was canceled during the step.',
  run_timeout: 'The run exceeded its time limit.',
  worker_lost: 'Three workers in a row died over the run.',
  actions_unreadable: 'No encryption key of the service decrypts the actions of the run.',
  internal_error: 'A fault of the service.',
} as const;

/** A key of the table, or the status of the application's response, e.g. `http_404`. */
export type StepErrorCode = keyof typeof STEP_ERRORS | ErrorCode | `http_${number}`;
