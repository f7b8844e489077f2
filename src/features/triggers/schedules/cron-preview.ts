import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { nextTurn } from '../../../platform/admission/pace.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { validationError } from '../../../platform/errors.js';
import { CronError, type Cron, isTimeZone, nextFire, parseCron } from './cron.js';
import { cronWords } from './cron-words.js';

/** The arguments of a preview. The expression may be incomplete, as while it is typed. */
export interface PreviewedCron {
  cron: string;
  /** UTC when absent. */
  timezone?: string | null;
  count: number;
}

interface PreviewOfCron {
  description: string;
  next: Date[];
}

/** Describes cron expressions by the same rules that validate and fire schedules. */
export class CronPreviews {
  private readonly turns = new OneByOne();

  constructor(private readonly clock: Clock) {}

  /**
   * One preview in a turn of the event loop, whose accounts take turns.
   * @throws AppError `validation_error` that says what is wrong in which field.
   */
  of({ accountId }: Pick<RequestContext, 'accountId'>, wanted: PreviewedCron): Promise<PreviewOfCron> {
    return this.turns.add(accountId, async () => {
      await nextTurn();
      return this.preview(wanted);
    });
  }

  private preview({ cron: expression, timezone, count }: PreviewedCron): PreviewOfCron {
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
