import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

/** A statement starts after a quote or a semicolon. */
const START = String.raw`[\`'";]\s*`;
/** State of a session, by the statements that leave it behind. A transaction pooler gives the session to other clients. */
const STATE: Readonly<Record<string, RegExp>> = {
  'a setting': new RegExp(
    String.raw`${START}(SET\s+[a-z_.]+\s*(=|TO)|RESET\s+[a-z_.]+)|set_config\([^)]*,\s*false\s*\)`,
  ),
  'a session lock': /pg_(try_)?advisory_lock(_shared)?\b|\btryLockSql\(/i,
  'a temporary table': /\bCREATE\s+(LOCAL\s+|GLOBAL\s+)?TEMP/i,
  'a statement or cursor': new RegExp(String.raw`${START}(PREPARE|DEALLOCATE|DISCARD)\b|\bWITH\s+HOLD\b`, 'i'),
  'a listener': new RegExp(String.raw`${START}(UN)?LISTEN\b`),
};

/** Files whose statements go to DATABASE_DIRECT_URL, with the state that they leave. */
const DIRECT: Readonly<Record<string, readonly string[]>> = {
  'platform/db/advisory-locks.ts': ['a session lock'],
  'platform/db/copy/copy-client.ts': ['a setting'],
  'platform/db/copy/empty-database.ts': ['a session lock'],
  'process/doctor/doctor.ts': ['a setting'],
  'platform/db/concurrent-index.ts': ['a setting'],
  'platform/db/data-source.ts': ['a setting'],
  'platform/db/migrate.ts': ['a session lock'],
  'platform/notifications/notifications.ts': ['a listener'],
};

const src = join(packageRoot, 'src');

function stateOf(text: string): string[] {
  return Object.keys(STATE).filter((name) => STATE[name]!.test(text));
}

describe('state of a session', () => {
  it('is left behind only on the direct connections', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('dashboard/'),
    );
    const found = files.map((file) => [file, stateOf(readFileSync(join(src, file), 'utf8'))] as const);
    expect(Object.fromEntries(found.filter(([, states]) => states.length > 0))).toEqual(DIRECT);
  });

  it.each([
    ['a setting', "query('SET statement_timeout = 1')"],
    ['a setting', "`SELECT set_config('a.b', $1, false)`"],
    ['a session lock', '`SELECT pg_advisory_lock(1)`'],
    ['a temporary table', '`CREATE TEMP TABLE x ()`'],
    ['a statement or cursor', '`PREPARE x AS SELECT 1`'],
    ['a listener', '`LISTEN gateway`'],
  ])('is recognised: %s in %s', (name, text) => {
    expect(stateOf(text)).toEqual([name]);
  });

  it.each(['`SET LOCAL lock_timeout = 1`', "`SELECT set_config('a', $1, true)`", '`SELECT pg_advisory_xact_lock(1)`'])(
    'is none of %s',
    (text) => expect(stateOf(text)).toEqual([]),
  );
});
