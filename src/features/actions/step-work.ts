import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { type OffersType } from './offers-type.js';
import { type StepErrorCode } from './step-errors.js';
import { type LongWork } from '../../platform/admission/long-work.js';
import { type TargetLimits } from '../../platform/admission/target-limits.js';
import { type WaitPurpose, type WaitRequest } from './wait-request.js';

/** Why a step failed: a code for programs and a sentence for people. */
export interface StepError {
  code: StepErrorCode;
  message: string;
}

/** The result of one attempt at a step. */
export type StepOutcome =
  | { kind: 'succeeded'; output: unknown }
  /** The step succeeded, and the run ends here as succeeded. */
  | { kind: 'stop'; output: unknown }
  | { kind: 'failed'; error: StepError; output?: unknown }
  /** Failed, but worth another attempt, not before `notBefore` if the server named a time. */
  | { kind: 'retry'; error: StepError; notBefore?: Date | undefined }
  /** Not finished: the step is executed again at that time. */
  | { kind: 'wait'; until: Date }
  /** The application asked to wait. As `wait`, but a step that meets with nothing else for a day fails. */
  | { kind: 'blocked'; until: Date }
  /** Not finished: the run waits for something outside. */
  | { kind: 'await'; what: WaitRequest };

/** Where to send a request to a connected application. Names of headers are in lower case. */
export interface ApplicationRequest {
  url: string;
  /** Headers that the action's own ones replace. */
  defaults: Record<string, string>;
  /** Headers that replace the action's own ones. */
  credentials: Record<string, string>;
}

/** The requests to connected applications that actions may make. */
export interface Applications {
  offersType: OffersType;
  /**
   * Calls `send` with the URL and credentials for an application, and again with a renewed token after a 401.
   * `connection`: the account's connection of that type and reference that connected last.
   * @returns the last result of `send`. @throws HeldBackError without a call; AppError `not_found`, `not_connected`,
   * `conflict`, `validation_error` or `provider_unavailable`.
   */
  call<T extends { status: number | undefined; retryAfter?: string | undefined }>(
    caller: { accountId: string; hops: number; signal: AbortSignal },
    target: ({ integrationId: string } | { connection: { type: string; reference: string } }) & { path: string },
    send: (request: ApplicationRequest) => Promise<T>,
  ): Promise<T>;
}

/** A mail that a step sends; `key` is the same in each attempt. */
export interface StepMail {
  accountId: string;
  to: readonly string[];
  subject: string;
  text: string;
  key: string;
}

/** The mail queue that actions may use. */
export interface Mails {
  /**
   * Resolves with undefined once the mail is stored, or with the reason why the account may not send it. A mail with a
   * known key is not sent again.
   */
  queue(mail: StepMail): Promise<string | undefined>;
}

/** The services that a kind of action may use. */
export interface ActionServices {
  outbound: Outbound;
  targets: TargetLimits;
  /** Gives turns to the processing of long responses. */
  longWork: LongWork;
  applications: Applications;
  mail: Mails;
  /** The URL of the wait of an action in a run. */
  waitUrls: (purpose: WaitPurpose, place: { runUuid: string; index: number }) => string;
}

/** One attempt at a step. Refers to no value of the run, so that a long call does not keep large values in memory. */
export interface StepWork extends ActionServices {
  /** The public id, e.g. `run_…`. */
  runId: string;
  accountId: string;
  /** How many runs in a row led to this one. */
  hops: number;
  /** The index of the action, from 0. */
  index: number;
  /** When the first attempt began. */
  startedAt: Date;
  now: Date;
  /** Aborts when the attempt has taken too long or the process stops. */
  signal: AbortSignal;
}
