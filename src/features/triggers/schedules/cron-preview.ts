import { type Clock } from '../../../platform/clock.js';
import { validationError } from '../../../platform/errors.js';
import { CronError, type Cron, isTimeZone, nextFire, parseCron } from './cron.js';
import { cronWords } from './cron-words.js';

/** What is asked of an expression that may be half typed. */
export interface PreviewedCron {
  cron: string;
  /** UTC when absent. */
  timezone?: string | null;
  count: number;
}

/** Tells what an expression means, by the rules that schedules are judged and fired by. */
export class CronPreviews {
  constructor(private readonly clock: Clock) {}

  /** @throws AppError `validation_error` that says what is wrong with which field. */
  of({ cron: expression, timezone, count }: PreviewedCron): { description: string; next: Date[] } {
    const cron = parsed(expression, timezone ?? 'UTC');
    const next: Date[] = [];
    for (let from = this.clock.now(); next.length < count; from = next.at(-1)!) next.push(nextFire(cron, from));
    return { description: cronWords(cron), next };
  }
}

function parsed(expression: string, timezone: string): Cron {
  if (!isTimeZone(timezone))
    throw validationError({ field: 'timezone', message: 'must be an IANA time zone such as "Europe/Berlin"' });
  try {
    return parseCron(expression, timezone);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw validationError({ field: 'cron', message: error.message });
  }
}
