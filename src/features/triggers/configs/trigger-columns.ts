import { columnsOf } from '../../../platform/db/columns.js';
import { textColumns } from '../../../platform/db/texts/measured-texts.js';
import { isSelected, type Selection } from '../../../platform/graphql/selected-fields.js';
import { Trigger } from '../trigger.entity.js';

/** SQL of the text of the trigger `t`. */
export const CONFIG_TEXT = { configText: 't.config::text' };

/** The select list of triggers under the alias `t` without their configs, each of which may have 100 kB. */
export const BARE_COLUMNS = columnsOf(Trigger, 't', ['configJson']);

/** The same with their configs: for single triggers. */
export const COLUMNS = `${BARE_COLUMNS}, ${textColumns(CONFIG_TEXT)}`;

/** The trigger `$1` of the account `$2`, with its config. */
export const ONE_TRIGGER = `SELECT ${COLUMNS} FROM triggers t WHERE t.id = $1 AND t.account_id = $2`;

/** The fields that come from the config: a schedule's ticks from its cron expression, `unreadable` from its secret. */
const OF_CONFIG = ['config', 'etag', 'nextFireAt', 'scheduleInWords', 'unreadable'];

/** Whether the selection asks, in its fields `below`, for anything that comes from the config. */
export function needsConfig(info: Selection, ...below: readonly string[]): boolean {
  return OF_CONFIG.some((name) => isSelected(info, ...below, name));
}
