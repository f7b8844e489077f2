import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { BARE_COLUMNS } from '../configs/trigger-columns.js';
import { type TriggerConfigs } from '../configs/trigger-configs.service.js';
import { Trigger } from '../trigger.entity.js';

/** The next tick of a schedule. */
export interface NextTick {
  at: Date;
  trigger: Trigger;
}

/**
 * How many more schedules are read than asked for: `next_fire_at` is the time from which ticks are computed, which for
 * some schedules is before their tick, e.g. after a restore.
 */
const MARGIN = 100;

const SELECT = `SELECT ${BARE_COLUMNS} FROM triggers t
  WHERE t.account_id = $1 AND t.next_fire_at IS NOT NULL ORDER BY t.next_fire_at LIMIT $2`;

/** The next firings of an account's schedules. */
export class UpcomingFirings {
  constructor(
    private readonly db: Database,
    private readonly configs: Pick<TriggerConfigs, 'read'>,
  ) {}

  /** The schedules that fire next, each once, earliest first. A due tick that has not fired yet is included. */
  async next({ accountId }: RequestContext, first: number): Promise<NextTick[]> {
    const rows = await this.db.select(Trigger, SELECT, [accountId, first + MARGIN]);
    const triggers = await this.configs.read(accountId, rows);
    return triggers
      .filter((trigger) => trigger !== undefined)
      .flatMap((trigger): NextTick[] => {
        const at = trigger.nextFireAt;
        return at === null ? [] : [{ at, trigger }];
      })
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .slice(0, first);
  }
}
