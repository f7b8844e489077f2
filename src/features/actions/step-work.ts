import { type Outbound } from '../../platform/http/outbound/outbound.js';
import { type TargetLimits } from './target-limits.js';

/** Why a step failed: a word for machines and a sentence for people. */
export interface StepError {
  code: string;
  message: string;
}

/** What came of one attempt at a step. */
export type StepOutcome =
  | { kind: 'succeeded'; output: unknown }
  /** Done, and the rest of the run is not wanted. */
  | { kind: 'stop'; output: unknown }
  | { kind: 'failed'; error: StepError; output?: unknown }
  /** May succeed another time, not before `notBefore` where the other side named one. */
  | { kind: 'retry'; error: StepError; notBefore?: Date | undefined }
  /** Nothing more to do until then; the step is carried out once more at that time. */
  | { kind: 'wait'; until: Date };

/** Connected applications, as actions see them. */
export interface Applications {
  /**
   * Lets `send` call an application with its credentials; once more after a 401 that a renewed token may mend.
   * @returns what `send` did last. @throws AppError `not_found`, `conflict`, `validation_error` or `provider_unavailable`.
   */
  call<T extends { status: number | undefined }>(
    caller: { accountId: string; hops: number },
    target: { integrationId: string; path: string },
    send: (request: { url: string; headers: Record<string, string> }) => Promise<T>,
  ): Promise<T>;
}

/** A mail of a step; `key` is the same in each attempt. */
export interface StepMail {
  accountId: string;
  to: readonly string[];
  subject: string;
  text: string;
  key: string;
}

/** Mail, as actions see it. */
export interface Mails {
  /** Resolves once it is stored, or with the reason why the account may not send it; one with a known key is not sent again. */
  queue(mail: StepMail): Promise<string | undefined>;
}

/** What a kind of action may use. */
export interface ActionServices {
  outbound: Outbound;
  targets: TargetLimits;
  applications: Applications;
  mail: Mails;
}

/** One attempt at a step. It names no value of the run, which may be large: a call is under way for long. */
export interface StepWork extends ActionServices {
  /** As the API writes it. */
  runId: string;
  accountId: string;
  /** How many runs in a row led to this one. */
  hops: number;
  /** The place of the action, from 0. */
  index: number;
  /** When the first attempt began. */
  startedAt: Date;
  now: Date;
  /** Aborts when the attempt has taken too long or the process stops. */
  signal: AbortSignal;
}
