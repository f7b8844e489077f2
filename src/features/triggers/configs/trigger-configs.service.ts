import { type LongWork } from '../../../platform/admission/long-work.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { responseLane } from '../../../platform/db/transaction-context.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { UNREADABLE } from '../../../platform/encryption/unreadable.js';
import { notFound } from '../../../platform/errors.js';
import { openConfig, SECRET, triggerContext, type TriggerConfig } from '../trigger-config.js';
import { type Trigger } from '../trigger.entity.js';
import { selectTriggers } from './select-triggers.js';

/** As `JSON.stringify` writes the key, which a value may contain, too. */
const SECRET_KEY = JSON.stringify(SECRET);

/**
 * Reads configs of triggers and opens what is sealed. A config stays a text: a parsed one may take twenty times the
 * memory. One at a time is parsed, if it has a secret or a schedule.
 */
export class TriggerConfigs {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly longWork: LongWork,
    /** The public URL of the service, without a trailing slash. */
    private readonly baseUrl: string,
  ) {}

  /** Opens the sealed values of a row that was just read, as far as a key opens them, and sets its URL. */
  reveal(trigger: Trigger): Trigger {
    trigger.readAt = this.clock.now();
    const context = triggerContext(trigger.accountId, trigger.uuid);
    const token = this.secrets.tryOpen(trigger.hookToken, context);
    trigger.webhookUrl = token === null ? null : `${this.baseUrl}/hooks/${token}`;
    if (trigger.configText === undefined) return trigger;
    const isWhole = !isParsed(trigger) || this.open(trigger);
    trigger.unreadable = isWhole && (token === null) === (trigger.hookToken === null) ? null : UNREADABLE;
    return trigger;
  }

  /** Triggers that were read without their configs, with them, in the same order; undefined for one that is gone. */
  async read(accountId: string, triggers: readonly Trigger[]): Promise<(Trigger | undefined)[]> {
    if (triggers.length === 0) return [];
    const uuids = [...new Set(triggers.map(({ uuid }) => uuid))];
    const found = await selectTriggers(this.db, accountId, uuids);
    const lane = responseLane(accountId);
    for (const trigger of found.values()) {
      if (isParsed(trigger)) await this.longWork.piece(lane, trigger.configText.length);
      this.reveal(trigger);
    }
    return triggers.map(({ uuid }) => found.get(uuid));
  }

  /** Applies `read` to a trigger with its config. Reads missing ones together, as for links. */
  of<T>(context: RequestContext, trigger: Trigger, read: (trigger: Trigger) => T): T | Promise<T> {
    if (trigger.configText !== undefined) return read(trigger);
    const load = async (triggers: readonly Trigger[]): Promise<(Trigger | Error)[]> =>
      (await this.read(context.accountId, triggers)).map((found) => found ?? notFound('trigger'));
    return context.batch(this, trigger, load).then(read);
  }

  /** @returns whether nothing is sealed any more. */
  private open(trigger: Trigger): boolean {
    const sealed = JSON.parse(trigger.configText!) as TriggerConfig;
    trigger.takeSchedule(sealed);
    const { config, isWhole } = openConfig(this.secrets, sealed, triggerContext(trigger.accountId, trigger.uuid));
    if (config !== sealed) trigger.configText = JSON.stringify(config);
    return isWhole;
  }
}

function isParsed(trigger: Trigger): trigger is Trigger & { configText: string } {
  const { type, configText } = trigger;
  return configText !== undefined && (type === 'schedule' || configText.includes(SECRET_KEY));
}
