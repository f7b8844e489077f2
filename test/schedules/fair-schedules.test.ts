import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimDue, DueTriggers } from '../../src/features/triggers/schedules/due-triggers.js';
import { lookAt } from '../../src/features/triggers/schedules/tick-firings.js';
import { fill } from '../support/database/fill.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { firedIn, Scheduler } from './schedule-world.js';

const at = (time: string) => new Date(`2026-11-21T${time}:00.000Z`);

let world: TriggerWorld;
let scheduler: Scheduler;
beforeAll(async () => {
  world = await TriggerWorld.open();
  scheduler = await Scheduler.open(world);
});
afterAll(async () => {
  await scheduler.close();
  await world.close();
});
beforeEach(() => {
  world.clock.time = at('10:00');
});
afterEach(async () => {
  await world.db.query('DELETE FROM runs');
  await world.db.query('DELETE FROM workflows');
});

const schedule = (cron: string, context = world.context) =>
  world.trigger({ type: 'schedule', config: { cron, timezone: 'Europe/Berlin' } }, context);

const nextFireAts = async () =>
  (await world.db.query<{ at: Date }>('SELECT next_fire_at AS at FROM triggers ORDER BY id')).map((row) => row.at);

describe('a workflow that is activated', () => {
  it('has no schedule that is due, but its next tick', async () => {
    const trigger = await schedule('0 1 29 2 */7');
    await schedule('* * * * *', world.stranger);
    const { workflowId } = trigger;
    const before = await nextFireAts();
    await world.workflows.update(world.context, workflowId, { status: 'paused' });
    world.clock.time = at('10:30');
    await world.workflows.update(world.context, workflowId, { status: 'active' });
    expect(await nextFireAts()).toEqual(before);
  });

  it('has a schedule that is due if its next tick cannot be found, so that the scheduler logs it', async () => {
    const { workflowId, uuid } = await schedule('* * * * *');
    await world.workflows.update(world.context, workflowId, { status: 'paused' });
    await world.db.query(`UPDATE triggers SET config = '{"cron":"* * * * *","timezone":"No/Zone"}' WHERE id = $1`, [
      uuid,
    ]);
    await world.workflows.update(world.context, workflowId, { status: 'active' });
    expect(await nextFireAts()).toEqual([at('10:00')]);
  });

  it('fires a tick of the minute in which it is activated, and none of before', async () => {
    const { workflowId } = await schedule('* * * * *');
    await world.workflows.update(world.context, workflowId, { status: 'paused' });
    world.clock.time = at('10:30');
    await world.workflows.update(world.context, workflowId, { status: 'active' });
    await scheduler.turn();
    expect((await firedIn(world.db)).map(({ scheduledFor }) => scheduledFor)).toEqual([at('10:30')]);
  });
});

describe('the ticks of many schedules', () => {
  const sixty = Array.from({ length: 60 }, (_, minute) => ({
    uuid: String(minute),
    account: 'a',
    cron: `${minute} 3 * * *`,
    timezone: 'UTC',
    catchUp: 'none' as const,
    ticksFrom: at('10:00'),
  }));

  it('are computed 20 at a time, with other work of the process in between', async () => {
    let turns = 0;
    let isOver = false;
    const other = () => {
      turns += 1;
      if (!isOver) setImmediate(other);
    };
    setImmediate(other);
    expect(await lookAt(sixty, at('10:00'), () => 0)).toHaveLength(60);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('are left for the next batch once a tenth of a second is over, except one', async () => {
    let time = 0;
    expect(await lookAt(sixty, at('10:00'), () => (time += 1_000))).toHaveLength(1);
    expect((await lookAt(sixty, at('10:00'), () => (time += 20))).length).toBeLessThanOrEqual(5);
  });

  it('are followed by a rest in company only', async () => {
    await schedule('* * * * *');
    await schedule('* * * * *');
    world.clock.time = at('10:01');
    await scheduler.turn();
    expect(scheduler.rests).toBe(0);
    await schedule('* * * * *', world.stranger);
    world.clock.time = at('10:02');
    await scheduler.turn();
    expect(scheduler.rests).toBe(1);
    expect(await firedIn(world.db)).toHaveLength(5);
  });
});

describe('accounts with due schedules', () => {
  const MANY = 30;
  const [mine, later] = ['10:01', '10:02'];

  /** Many due schedules of one account, and one of another that is due later. @returns the uuid of the latter. */
  async function due(): Promise<string> {
    for (let made = 0; made < MANY; made += 1) await schedule('* * * * *');
    const other = await schedule('* * * * *', world.stranger);
    await world.db.query(`UPDATE triggers SET next_fire_at = CASE WHEN id = $1 THEN $2 ELSE $3 END::timestamptz`, [
      other.uuid,
      at(later),
      at(mine),
    ]);
    return other.uuid;
  }

  it('take turns', async () => {
    const other = await due();
    expect((await new DueTriggers().next(world.db, at('10:03'), { limit: 5, except: [] })).indexOf(other)).toBe(1);
    world.clock.time = at('10:03');
    await scheduler.turn();
    expect(new Set((await firedIn(world.db)).map(({ trigger }) => trigger)).size).toBe(MANY + 1);
  });

  it('take turns, however many of one of them are due', async () => {
    const other = await due();
    await fill(
      world.url,
      `INSERT INTO triggers SELECT (jsonb_populate_record(t, jsonb_build_object('id', uuid_at(t.next_fire_at)))).*
       FROM triggers t, generate_series(1, 1700) WHERE t.id <> $1`,
      [other],
    );
    expect((await new DueTriggers().next(world.db, at('10:03'), { limit: 5, except: [] })).indexOf(other)).toBe(1);
  });

  it('are shared by schedulers without a wait', async () => {
    await due();
    const uuids = await new DueTriggers().next(world.db, at('10:03'), { limit: 100, except: [] });
    await world.db.transaction(async (tx) => {
      const first = await claimDue(tx, at('10:03'), uuids.slice(0, 20));
      const second = await scheduler.db.transaction((tx2) => claimDue(tx2, at('10:03'), uuids));
      expect([first.length, second.length]).toEqual([20, MANY + 1 - 20]);
      expect([...first, ...second].map(({ uuid }) => uuid)).toEqual(uuids);
    });
  });
});
