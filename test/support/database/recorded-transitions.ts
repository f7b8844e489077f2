import { RUN_TRANSITIONS } from '../../../src/features/runs/run-status.js';
import { WAIT_TRANSITIONS } from '../../../src/features/waits/wait-status.js';
import { DELIVERY_TRANSITIONS } from '../../../src/features/webhooks/webhook-status.js';
import { type Database } from '../../../src/platform/db/database.js';
import { MAIL_TRANSITIONS } from '../../../src/platform/mail/mail-status.js';
import { type Transitions } from '../../../src/platform/transitions.js';

const TRANSITIONS = {
  runs: RUN_TRANSITIONS,
  webhook_deliveries: DELIVERY_TRANSITIONS,
  mails: MAIL_TRANSITIONS,
  waits: WAIT_TRANSITIONS,
} satisfies Record<string, Transitions<string>>;

type Table = keyof typeof TRANSITIONS;

/** From now on records each new status of a row of these tables, with the growth of its version. */
export async function recordTransitions(db: Database, ...tables: readonly Table[]): Promise<void> {
  // As JSON, because only runs have a version. A partition has a name of its own, so the table is an argument.
  await db.source.query(`
    CREATE TABLE recorded_transitions (of text, was text, became text, growth integer);
    CREATE FUNCTION record_transition() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      was jsonb := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD) END;
      became jsonb := to_jsonb(NEW);
    BEGIN
      IF was->>'status' IS DISTINCT FROM became->>'status' THEN
        INSERT INTO recorded_transitions VALUES (TG_ARGV[0], was->>'status', became->>'status',
          coalesce((became->>'version')::integer - (was->>'version')::integer, 1));
      END IF;
      RETURN NULL;
    END $$`);
  for (const table of tables) {
    await db.source.query(`CREATE TRIGGER record_transition AFTER INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION record_transition('${table}')`);
  }
}

/** The recorded transitions of a table, each once. A run whose version grew by two went through `running`. */
export async function recordedTransitions(db: Database, table: Table): Promise<string[]> {
  const rows = await db.query<{ was: string | null; became: string; growth: number }>(
    `SELECT DISTINCT was, became, growth FROM recorded_transitions WHERE of = $1`,
    [table],
  );
  const texts = rows.flatMap(({ was, became, growth }) => {
    if (growth === 1) return [textOf(was, became)];
    return growth === 2 ? [textOf(was, 'running'), textOf('running', became)] : [`${textOf(was, became)} by ${growth}`];
  });
  return [...new Set(texts)].sort();
}

/** The allowed transitions of a table, in the same form. */
export function allowedTransitions(table: Table): string[] {
  const all = Object.values<Transitions<string>[string]>(TRANSITIONS[table]).flatMap(({ from, to }) =>
    from.flatMap((was) => to.map((became) => textOf(was, became))),
  );
  return [...new Set(all)].sort();
}

/** The recorded transitions of a table that are not allowed. */
export async function forbiddenTransitions(db: Database, table: Table): Promise<string[]> {
  const allowed = allowedTransitions(table);
  return (await recordedTransitions(db, table)).filter((each) => !allowed.includes(each));
}

function textOf(was: string | null, became: string): string {
  return `${was ?? '(new)'} → ${became}`;
}
