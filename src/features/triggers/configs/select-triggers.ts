import { type EntityClass } from '../../../platform/db/columns.js';
import { type Queryable } from '../../../platform/db/database.js';
import { type Measured, measured, readRest } from '../../../platform/db/texts/measured-texts.js';
import { Trigger } from '../trigger.entity.js';
import { BARE_COLUMNS, COLUMNS, CONFIG_TEXT } from './trigger-columns.js';

const { columns, join } = measured(CONFIG_TEXT, 't.id');
const FIRST = `SELECT ${BARE_COLUMNS}, ${columns} FROM triggers t ${join} WHERE t.account_id = $1 AND t.id = ANY($2)`;
// The whole row again, so that it has the version of its config.
const REST = `SELECT ${COLUMNS} FROM triggers t WHERE t.account_id = $1 AND t.id = ANY($2)`;

/** The triggers of an account that have these uuids, with their configs, by uuid. */
export async function selectTriggers(
  db: Queryable,
  accountId: string,
  uuids: readonly string[],
): Promise<Map<string, Trigger>> {
  const triggers = await db.select(Trigger as EntityClass<Trigger & Measured>, FIRST, [accountId, uuids]);
  await readRest(triggers, CONFIG_TEXT, async (portion) => {
    const asked = portion.map(({ uuid }) => uuid);
    const found = new Map((await db.query(REST, [accountId, asked])).map((row) => [row['uuid'] as string, row]));
    return asked.map((uuid) => found.get(uuid));
  });
  // One without a config was deleted in between.
  const whole = triggers.filter(({ configText }) => typeof configText === 'string');
  return new Map(whole.map((trigger) => [trigger.uuid, trigger]));
}
