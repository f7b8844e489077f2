import { workFor } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { HeldBackError } from '../../../platform/held-back.js';
import { blockMs } from '../../../platform/http/outbound/retry-after.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';

/** How long the first call after a block may take to be answered, in milliseconds. It also ends that of a dead process. */
const TRIAL_MS = 40_000;
/** When a caller tries again that found the first call under way, in milliseconds. */
const TRIAL_POLL_MS = 1_000;

/** What an application said to a call. */
export interface AppAnswer {
  /** Undefined if the application did not respond. */
  status: number | undefined;
  /** The header `Retry-After`. */
  retryAfter?: string | undefined;
  /** Of a response whose body is still to be read: resolves when that has ended. */
  ended?: Promise<void>;
  /** Ends such a response without reading it. */
  close?(): void;
}

/** The connection that a call is made through. */
export interface Spender {
  uuid: string;
  accountId: string;
}

/** The state of a connection that is not free. */
interface State {
  /** 0 once the time is over. */
  waitMs: number;
  isFirst: boolean;
}

/**
 * The budget of a connection over all processes. After a 429, or a 503 with `Retry-After`, no call is made until the
 * time is over. Then one call is the trial: its response frees the connection or blocks it again. The state is in the
 * integration's row, by the clock of the database (docs/decisions/0022-one-budget-for-a-connection.md).
 */
export class CallBudget {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Makes one call through an integration, at once or not at all. @throws HeldBackError `blocked`; as `call` throws.
   */
  async spend<T extends AppAnswer>({ uuid, accountId }: Spender, call: () => Promise<T>): Promise<T> {
    // A client of the account may keep the row locked for seconds: the statements have the turns of the account.
    const trial = await workFor(accountId, () => this.enter(uuid));
    let answer: T | undefined;
    try {
      answer = await call();
      return answer;
    } finally {
      await workFor(accountId, () => this.leave(uuid, trial, answer));
    }
  }

  /** @returns the id of the trial, if this call is the first one after a block. */
  private async enter(uuid: string): Promise<string | undefined> {
    const id = newUuid(this.clock.now());
    const [state] = await this.db.query<State>(
      `WITH first AS (
         UPDATE integrations SET trial_id = $2, trial_until = clock_now() + ${TRIAL_MS} * interval '1 ms'
         WHERE id = $1 AND blocked_until <= clock_now() AND (trial_until IS NULL OR trial_until <= clock_now())
         RETURNING 1)
       SELECT EXISTS (SELECT FROM first) AS "isFirst",
         greatest(extract(epoch FROM blocked_until - clock_now()) * 1000, 0)::float8 AS "waitMs"
       FROM integrations WHERE id = $1 AND blocked_until IS NOT NULL`,
      [uuid, id],
    );
    if (state === undefined) return undefined;
    if (state.isFirst) return id;
    const message =
      state.waitMs > 0
        ? 'The application asked to wait. Nothing was sent.'
        : 'The application asked to wait, and the first call after that is under way. Nothing was sent.';
    throw new HeldBackError('blocked', message, state.waitMs > 0 ? state.waitMs : TRIAL_POLL_MS);
  }

  /** Never rejects, because the response itself is more important. */
  private async leave(uuid: string, trial: string | undefined, answer: AppAnswer | undefined): Promise<void> {
    try {
      const { status, retryAfter } = answer ?? {};
      const ms = status === undefined ? undefined : blockMs(status, retryAfter, this.clock.now());
      if (ms !== undefined) await this.block(uuid, ms);
      else if (trial !== undefined) await this.endTrial(uuid, trial, status !== undefined);
    } catch (error) {
      this.logger.warn(errorFields(error), 'the wait that an application asked for was not recorded');
    }
  }

  /** The end of an earlier response stays if it is later. A trial that is under way no longer decides. */
  private async block(uuid: string, ms: number): Promise<void> {
    await this.db.query(
      `UPDATE integrations SET blocked_until = greatest(blocked_until, clock_now() + $2 * interval '1 ms'),
         trial_id = NULL, trial_until = NULL WHERE id = $1`,
      [uuid, ms],
    );
  }

  /** Without a response the next call is the trial. */
  private async endTrial(uuid: string, trial: string, isFree: boolean): Promise<void> {
    await this.db.query(
      `UPDATE integrations SET blocked_until = CASE WHEN NOT $3 THEN blocked_until END, trial_id = NULL, trial_until = NULL
       WHERE id = $1 AND trial_id = $2`,
      [uuid, trial, isFree],
    );
  }
}
